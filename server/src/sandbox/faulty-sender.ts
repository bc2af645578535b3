import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response, Send } from '../http/server/request.ts';
import { headersOf, sendBody, sendPlainly } from '../http/server/send.ts';
import type { FaultKind } from './fault-kinds.ts';

/** No line of HTTP begins like this, and no character of UTF-8. */
export const GARBAGE = Buffer.from('\xff\xfe\x00 this is not HTTP \x00\xfe\xff\r\n\r\n', 'latin1');
const REQUEST_TIMEOUT_MS = 1_000;
/** What is truncated at its half is read no further than this. */
const MAX_TRUNCATED_BYTES = 16 * 1024 * 1024;
/** A slow body is sent in steps of at least this time, and in at most so many of them. */
const STEP_MS = 50;
const MAX_STEPS = 20;

export const sendWithFaults: Send = (request, res, response) => {
  const send = request.fault ? senders[request.fault.kind] : sendPlainly;
  return send(request, res, response);
};

const msOf = ({ fault }: Request) => fault?.ms ?? 0;

const closed: Send = ({ raw }, _, { body }) => {
  if (body instanceof Readable) body.destroy();
  return closeQuietly(raw);
};

const later: Send = async (request, res, response) => {
  const left = new AbortController();
  res.once('close', () => left.abort());
  await sleep(msOf(request), undefined, { signal: left.signal }).catch(() => {});
  return sendPlainly(request, res, response);
};

const slowly: Send = (request, res, response) => {
  if (request.method === 'HEAD' || response.body === undefined) return later(request, res, response);
  return sendPlainly(request, res, slowed(response, msOf(request)));
};

const truncated: Send = async (request, res, response) => {
  res.writeHead(response.status, headersOf(request, response));
  res.flushHeaders();
  if (request.method === 'HEAD') return closed(request, res, response);
  await sendBody(request, res, halfOf(request, response), false).catch(() => {});
  await closeQuietly(request.raw);
};

const senders: Record<FaultKind, Send> = {
  status: sendPlainly,
  delay: later,
  slow: slowly,
  drop: closed,
  'lost-answer': closed,
  reset: ({ raw }) => void raw.socket.resetAndDestroy(),
  garbage: ({ raw }) => {
    raw.socket.write(GARBAGE);
    return closeQuietly(raw);
  },
  truncate: truncated,
  'stale-connection': (request, res, response) => {
    res.once('finish', () => closeQuietly(request.raw));
    return sendPlainly(request, res, response);
  },
};

/** Takes the rest of the request before it closes: a system with bytes left unread would reset the connection. */
async function closeQuietly(request: IncomingMessage): Promise<void> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  if (!request.complete) await once(request.resume(), 'end', { signal }).catch(() => {});
  request.socket.destroySoon();
}

/** Bytes are sent in equal parts. A stream has none, as its length is not known: its pieces are sent as they come. */
function slowed(response: Response, ms: number): Response {
  const { headers = [], body = '' } = response;
  if (body instanceof Readable)
    return { ...response, body: spread(body, ms, Math.max(STEP_MS, ms / MAX_STEPS)) };
  const bytes = bytesOf(body);
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.floor(ms / STEP_MS), bytes.length));
  const beginOf = (step: number) => Math.floor((bytes.length * step) / steps);
  const parts = Array.from({ length: steps }, (_, i) => bytes.subarray(beginOf(i), beginOf(i + 1)));
  const head = [...headers, 'content-length', String(bytes.length)];
  return { ...response, headers: head, body: spread(parts, ms, ms / steps) };
}

/** Sends a piece after each step until the time is over, and what is left then at once. */
function spread(chunks: Readable | readonly Buffer[], ms: number, stepMs: number): Readable {
  async function* inTime(): AsyncGenerator<Buffer> {
    const begun = performance.now();
    const waitUntil = async (time: number) => {
      const leftMs = begun + Math.min(time, ms) - performance.now();
      if (leftMs > 0) await sleep(leftMs);
    };
    // A stream begins at once: whoever reads it sees its head before its time is over.
    let steps = chunks instanceof Readable ? 0 : 1;
    for await (const chunk of chunks) {
      await waitUntil(steps++ * stepMs);
      yield chunk;
    }
    // Bytes end with the last of them: whoever has all of them may send the next request.
    if (chunks instanceof Readable) await waitUntil(ms);
  }
  return Readable.from(inTime(), { objectMode: false });
}

function halfOf(request: Request, { headers, body = '' }: Response): Buffer | Readable {
  if (!(body instanceof Readable)) return bytesOf(body).subarray(0, Math.floor(Buffer.byteLength(body) / 2));
  // A stream of events has no end, and so no half: the first of it is cut.
  const maxBytes = headers?.includes('text/event-stream') ? 1 : MAX_TRUNCATED_BYTES;
  return Readable.from(halfOfStream(request, body, maxBytes), { objectMode: false });
}

/** Passes on half of what has come: at the end, that is half of all. It ends early where no more may be held. */
async function* halfOfStream(request: Request, body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  const waiting: Array<{ readonly chunk: Buffer; readonly held: Disposable | undefined }> = [];
  let [length, sent] = [0, 0];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const held = request.hold(chunk, chunk.length);
      waiting.push({ chunk, held });
      length += chunk.length;
      for (let [next] = waiting; next && sent + next.chunk.length <= length / 2; [next] = waiting) {
        yield next.chunk;
        sent += next.chunk.length;
        next.held?.[Symbol.dispose]();
        waiting.shift();
      }
      if (length >= maxBytes || !held) break;
    }
    for (const { chunk } of waiting) {
      const part = chunk.subarray(0, Math.floor(length / 2) - sent);
      yield part;
      sent += part.length;
    }
  } finally {
    for (const { held } of waiting) held?.[Symbol.dispose]();
  }
}

const bytesOf = (body: string | Buffer) => (typeof body === 'string' ? Buffer.from(body) : body);
