import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Send } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { headersOf } from '../http/server/send.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';
import { bytesOf, halfOf, slowed } from './faulty-bodies.ts';

type FaultySend = (
  request: Request,
  response: ServerResponse,
  answer: Answer,
  fault: Fault,
) => ReturnType<Send>;

/** No line of HTTP begins like this, and no character of UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');
/** A client that never finishes its request is not waited for longer than this. */
const LATE_MS = 1_000;

export function faultySender(plain: Send): Send {
  const closed: FaultySend = ({ raw }, _, { body }) => {
    if (body instanceof Readable) body.destroy();
    return closeQuietly(raw);
  };

  const later: FaultySend = async (request, response, answer, { ms = 0 }) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    await sleep(ms, undefined, { signal: left.signal }).catch(() => {});
    return plain(request, response, answer);
  };

  const senders: Record<FaultKind, FaultySend> = {
    status: plain,
    delay: later,
    slow: (request, response, answer, fault) => {
      const { status, headers = [], body } = answer;
      const { pieces, length } = bytesOf(answer);
      if (request.method === 'HEAD' || length === 0) return later(request, response, answer, fault);
      const head = body instanceof Readable ? headers : [...headers, 'content-length', String(length)];
      return plain(request, response, { status, headers: head, body: slowed(pieces, length, fault.ms ?? 0) });
    },
    drop: closed,
    'lost-answer': closed,
    reset: ({ raw }) => void raw.socket.resetAndDestroy(),
    garbage: ({ raw }) => {
      raw.socket.write(GARBAGE);
      return closeQuietly(raw);
    },
    truncate: truncated,
    'stale-connection': (request, response, answer) => {
      response.once('finish', () => closeQuietly(request.raw));
      return plain(request, response, answer);
    },
  };

  return (request, response, answer) =>
    request.fault
      ? senders[request.fault.kind](request, response, answer, request.fault)
      : plain(request, response, answer);
}

async function truncated(request: Request, response: ServerResponse, answer: Answer): Promise<void> {
  response.writeHead(answer.status, headersOf(request, answer));
  response.flushHeaders();
  if (request.method !== 'HEAD') {
    const { pieces, length } = bytesOf(answer);
    const half = Readable.from(halfOf(pieces, length), { objectMode: false });
    await pipeline(half, response, { end: false }).catch(() => {});
  } else if (answer.body instanceof Readable) answer.body.destroy();
  await closeQuietly(request.raw);
}

/** Takes the rest of the request before it closes: a system with bytes left unread would reset the connection. */
async function closeQuietly(request: IncomingMessage): Promise<void> {
  const signal = AbortSignal.timeout(LATE_MS);
  if (!request.complete) await once(request.resume(), 'end', { signal }).catch(() => {});
  request.socket.destroySoon();
}
