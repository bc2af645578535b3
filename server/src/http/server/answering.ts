import { tracingChannel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { currentTraceparent } from '../../traceparent.ts';
import { ApiError, describeAndLog } from '../errors.ts';
import { refuseMalformed } from './arrival.ts';
import { type Answer, type Exchange, type Guard, jsonAnswer, type Request, type Send } from './request.ts';
import type { Routes } from './routes.ts';

/** For whoever traces: a request from its first guard until its answer is made. */
const requests = tracingChannel('petstore.request');

export interface AnsweringOptions {
  readonly routes: Routes;
  /** Answers what is at none of them. */
  readonly elsewhere: Guard;
  readonly send: Send;
  readonly observe: (exchange: Exchange) => void;
  readonly log: Logger;
}

/** Takes every request through its guards, its handler and the sending of its answer, and then tells the observers. */
export function answering({ routes, elsewhere, send, observe, log }: AnsweringOptions) {
  async function makeAnswer(request: Request): Promise<Answer> {
    try {
      refuseMalformed(request);
      const { method, path } = request;
      const { steps, params } = routes.find(method, path) ?? { steps: [elsewhere], params: {} };
      request.params = params;
      const handle = () => requests.tracePromise(() => pass(request, steps), { request });
      return await (request.traceparent ? currentTraceparent.run(request.traceparent, handle) : handle());
    } catch (error) {
      return answerForError(error, request, log);
    }
  }

  async function exchange(request: Request, response: ServerResponse): Promise<void> {
    const answer = await makeAnswer(request);
    request.whenHandled?.();
    try {
      await send(request, response, answer);
    } catch (error) {
      if (!isReaderGone(error)) log.error({ id: request.id, err: error }, 'an answer was cut off');
      request.raw.socket.destroy();
    }
    answer.release?.();
    observe({ request, answer, ms: performance.now() - request.arrivedAt });
  }

  return (request: Request, response: ServerResponse): void => {
    exchange(request, response).catch((error) => log.error({ id: request.id, err: error }, 'not observed'));
  };
}

/** The first answer counts; the handler stands last. */
async function pass(request: Request, steps: readonly Guard[]): Promise<Answer> {
  for (const step of steps) {
    const passed = step(request);
    // Most guards look and are done: waiting for each costs more than what it does.
    const answer = passed instanceof Promise ? await passed : passed;
    if (answer) return answer;
  }
  throw new Error(`nothing answers ${request.method} ${request.path}`);
}

function answerForError(error: unknown, request: Request, log: Logger): Answer {
  const body = describeAndLog(error, request, log);
  const headers = error instanceof ApiError ? error.headers : [];
  const lacksRetryAfter = body.status === 503 && !headers.includes('retry-after');
  const more = lacksRetryAfter ? ['retry-after', '1', ...headers] : headers;
  return { ...jsonAnswer(body, body.status, more), error: body.code };
}

function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}
