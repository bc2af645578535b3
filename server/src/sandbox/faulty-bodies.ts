import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of a body whose length is not known before it was sent, no more than this is held back to find its half. */
const MOST_HELD = 16 * 1024 * 1024;
/** How often a part of a slow body is sent, and into how many parts its time is divided at the most. */
const STEP_MS = 50;
const MOST_STEPS = 20;
/** What is sent at a step of a body whose length is not known. */
const STEP_BYTES = 64 * 1024;

type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The length that an answer's headers announce for its body. */
export function announcedLength(headers: readonly string[], body: Buffer | Readable): number | undefined {
  if (Buffer.isBuffer(body)) return body.length;
  const at = headers.indexOf('content-length');
  return at === -1 ? undefined : Number(headers[at + 1]);
}

export const piecesOf = (body: Buffer | Readable): Pieces => (Buffer.isBuffer(body) ? [body] : body);

/** The first half of a body. */
export async function* halfOf(body: Pieces, length: number | undefined): AsyncGenerator<Buffer> {
  if (length === undefined) return yield* halfOfUnknown(body);
  let left = Math.floor(length / 2);
  for await (const piece of body) {
    if (left > 0) yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

/** Sends one byte of two that came, always the earliest. */
async function* halfOfUnknown(body: Pieces): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let [received, sent, waiting] = [0, 0, 0];
  for await (const piece of body) {
    held.push(piece);
    received += piece.length;
    waiting += piece.length;
    while (sent < Math.floor(received / 2)) {
      const [next] = held.splice(0, 1) as [Buffer];
      const part = next.subarray(0, Math.floor(received / 2) - sent);
      if (part.length < next.length) held.unshift(next.subarray(part.length));
      sent += part.length;
      waiting -= part.length;
      yield part;
    }
    if (waiting > MOST_HELD) return;
  }
}

/** The same body, spread over that time. */
export function slowed(body: Pieces, length: number | undefined, ms: number): Readable {
  const begun = performance.now();
  const elapsed = () => performance.now() - begun;
  const step = Math.max(STEP_MS, ms / MOST_STEPS);
  async function* spread(): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (const piece of body) {
      for (let at = 0; at < piece.length; ) {
        const isOver = elapsed() >= ms;
        // The last byte is sent when the time is over, and never before.
        const due = length === undefined ? sent + STEP_BYTES : Math.floor(((length - 1) * elapsed()) / ms);
        const count = isOver ? piece.length - at : Math.min(piece.length - at, due - sent);
        if (count > 0) yield piece.subarray(at, at + count);
        if (count > 0) [at, sent] = [at + count, sent + count];
        if (!isOver) await sleep(Math.min(step, Math.max(1, ms - elapsed())));
      }
    }
    if (length === undefined && elapsed() < ms) await sleep(ms - elapsed());
  }
  return Readable.from(spread(), { objectMode: false });
}
