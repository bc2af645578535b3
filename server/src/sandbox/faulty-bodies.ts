import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../http/server/answer.ts';

/** Of a body whose length is not known before it was sent, no more than this is held to find its half. */
const MOST_HELD = 16 * 1024 * 1024;
/** How often a part of a slow body is sent, and into how many parts its time is divided at the most. */
const STEP_MS = 50;
const MOST_STEPS = 20;
const STEP_BYTES = 64 * 1024;

type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/** The body of an answer, and its length, if that is known before it is sent. */
export function bytesOf({ headers = [], body }: Answer): { pieces: Pieces; length: number | undefined } {
  if (body instanceof Readable) {
    const at = headers.indexOf('content-length');
    return { pieces: body, length: at === -1 ? undefined : Number(headers[at + 1]) };
  }
  const bytes = Buffer.from(body ?? '');
  return { pieces: [bytes], length: bytes.length };
}

export async function* halfOf(body: Pieces, length: number | undefined): AsyncGenerator<Buffer> {
  if (length === undefined) {
    const held = await heldOf(body);
    yield held.subarray(0, Math.floor(held.length / 2));
    return;
  }
  let left = Math.floor(length / 2);
  for await (const piece of body) {
    if (left > 0) yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

async function heldOf(body: Pieces): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length > MOST_HELD) break;
  }
  return Buffer.concat(pieces);
}

export function slowed(body: Pieces, length: number | undefined, ms: number): Readable {
  const begun = performance.now();
  const left = () => ms - (performance.now() - begun);
  const step = Math.max(STEP_MS, ms / MOST_STEPS);
  async function* spread(): AsyncGenerator<Buffer> {
    let sent = 0;
    for await (let rest of body) {
      while (rest.length > 0) {
        const isOver = left() <= 0;
        // The last byte is sent when the time is over, and never before.
        const due = length === undefined ? STEP_BYTES : Math.floor((length - 1) * (1 - left() / ms)) - sent;
        const part = rest.subarray(0, isOver ? rest.length : Math.max(0, due));
        if (part.length > 0) yield part;
        sent += part.length;
        rest = rest.subarray(part.length);
        if (!isOver) await sleep(Math.min(step, Math.max(1, left())));
      }
    }
    if (left() > 0) await sleep(left());
  }
  return Readable.from(spread(), { objectMode: false });
}
