import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response, Send } from '../http/server/request.ts';
import { headersOf, sendBody, sendResponse } from '../http/server/send.ts';
import type { FaultKind } from './fault-kinds.ts';

/** Neither HTTP nor UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');
const DRAIN_TIMEOUT_MS = 1_000;
/** A longer stream is truncated at half of this. */
const MAX_TRUNCATED_BYTES = 16 * 1024 * 1024;
/** A slow body is sent in at most MAX_STEPS parts, at least STEP_MS apart. */
const STEP_MS = 50;
const MAX_STEPS = 20;

export const sendWithFaults: Send = (request, res, response) => {
  const send = request.fault ? senders[request.fault.kind] : sendResponse;
  return send(request, res, response);
};

const msOf = ({ fault }: Request) => fault?.ms ?? 0;

const close: Send = ({ raw }, _, { body }) => {
  if (body instanceof Readable) body.destroy();
  return closeWithoutReset(raw);
};

const delay: Send = async (request, res, response) => {
  const closed = new AbortController();
  res.once('close', () => closed.abort());
  await sleep(msOf(request), undefined, { signal: closed.signal }).catch(() => {});
  return sendResponse(request, res, response);
};

const slow: Send = (request, res, response) => {
  if (request.method === 'HEAD' || response.body === undefined) return delay(request, res, response);
  return sendResponse(request, res, slowDown(response, msOf(request)));
};

const truncate: Send = async (request, res, response) => {
  res.writeHead(response.status, headersOf(request, response));
  res.flushHeaders();
  if (request.method === 'HEAD') return close(request, res, response);
  await sendBody(request, res, firstHalf(request, response), false).catch(() => {});
  await closeWithoutReset(request.raw);
};

const senders: Record<FaultKind, Send> = {
  status: sendResponse,
  delay,
  slow,
  drop: close,
  'lost-answer': close,
  reset: ({ raw }) => void raw.socket.resetAndDestroy(),
  garbage: ({ raw }) => {
    raw.socket.write(GARBAGE);
    return closeWithoutReset(raw);
  },
  truncate,
  'stale-connection': (request, res, response) => {
    res.once('finish', () => closeWithoutReset(request.raw));
    return sendResponse(request, res, response);
  },
};

/** Drains the request first: closing a socket with unread bytes would reset the connection. */
async function closeWithoutReset(request: IncomingMessage): Promise<void> {
  const signal = AbortSignal.timeout(DRAIN_TIMEOUT_MS);
  if (!request.complete) await once(request.resume(), 'end', { signal }).catch(() => {});
  request.socket.destroySoon();
}

/** Bytes are split into equal parts. A stream, whose length is unknown, is sent chunk by chunk. */
function slowDown(response: Response, ms: number): Response {
  const { headers = [], body = '' } = response;
  if (body instanceof Readable)
    return { ...response, body: spread(body, ms, Math.max(STEP_MS, ms / MAX_STEPS)) };
  const bytes = toBuffer(body);
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.floor(ms / STEP_MS), bytes.length));
  const offset = (step: number) => Math.floor((bytes.length * step) / steps);
  const parts = Array.from({ length: steps }, (_, i) => bytes.subarray(offset(i), offset(i + 1)));
  return {
    ...response,
    headers: [...headers, 'content-length', String(bytes.length)],
    body: spread(parts, ms, ms / steps),
  };
}

/** Sends one chunk per step until the time is up, then the remaining chunks at once. */
function spread(chunks: Readable | readonly Buffer[], ms: number, stepMs: number): Readable {
  async function* paced(): AsyncGenerator<Buffer> {
    const start = performance.now();
    const waitUntil = async (time: number) => {
      const leftMs = start + Math.min(time, ms) - performance.now();
      if (leftMs > 0) await sleep(leftMs);
    };
    // A stream starts at once, so that its headers are not delayed.
    let steps = chunks instanceof Readable ? 0 : 1;
    for await (const chunk of chunks) {
      await waitUntil(steps++ * stepMs);
      yield chunk;
    }
    // Only a stream ends after `ms`: a body with a content-length is complete with its last byte.
    if (chunks instanceof Readable) await waitUntil(ms);
  }
  return Readable.from(paced(), { objectMode: false });
}

function firstHalf(request: Request, { headers, body = '' }: Response): Buffer | Readable {
  if (!(body instanceof Readable)) return toBuffer(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  // An event stream has no end: its first chunk is cut.
  const maxBytes = headers?.includes('text/event-stream') ? 1 : MAX_TRUNCATED_BYTES;
  return Readable.from(firstHalfOfStream(request, body, maxBytes), { objectMode: false });
}

/** Passes on half of the bytes received so far. Ends early at `maxBytes`, or when no more memory can be reserved. */
async function* firstHalfOfStream(
  request: Request,
  body: Readable,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const buffered: Array<{ readonly chunk: Buffer; readonly reservation: Disposable | undefined }> = [];
  let [received, sent] = [0, 0];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const reservation = request.reserve(chunk, chunk.length);
      buffered.push({ chunk, reservation });
      received += chunk.length;
      for (let [next] = buffered; next && sent + next.chunk.length <= received / 2; [next] = buffered) {
        yield next.chunk;
        sent += next.chunk.length;
        next.reservation?.[Symbol.dispose]();
        buffered.shift();
      }
      if (received >= maxBytes || !reservation) break;
    }
    for (const { chunk } of buffered) {
      const part = chunk.subarray(0, Math.floor(received / 2) - sent);
      yield part;
      sent += part.length;
    }
  } finally {
    for (const { reservation } of buffered) reservation?.[Symbol.dispose]();
  }
}

const toBuffer = (body: string | Buffer) => (typeof body === 'string' ? Buffer.from(body) : body);
