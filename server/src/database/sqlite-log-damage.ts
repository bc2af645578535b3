import { readFileSync } from 'node:fs';

const HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
/** The last bit of the first word says in which order of bytes the sums were made. */
const MAGIC = 0x377f0682;

type Sum = [number, number];

/**
 * How many commits of a log SQLite would pass over in silence: it takes what is there up to the first frame whose sum is
 * wrong. A commit is on disk before the next one is written, so a crash leaves at most the last one half written, and
 * whatever was wrong before two commits or more was damaged since.
 */
export function commitsBehindDamage(path: string): number {
  const log = read(path);
  const lost = log ? countLost(log) : 0;
  if (lost === 0) return 0;
  // Somebody may have been writing to it: then it is another one by now.
  const again = read(path);
  return again && log?.subarray(0, HEAD_BYTES).equals(again.subarray(0, HEAD_BYTES)) ? countLost(again) : 0;
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function countLost(log: Buffer): number {
  if (log.length < HEAD_BYTES || (log.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return 0;
  const readWord = log.readUInt32BE(0) & 1 ? log.readUInt32BE : log.readUInt32LE;
  const add = ([a, b]: Sum, from: number, to: number): Sum => {
    for (let at = from; at < to; at += 8) {
      a = (a + readWord.call(log, at) + b) | 0;
      b = (b + readWord.call(log, at + 4) + a) | 0;
    }
    return [a, b];
  };
  const isSum = ([a, b]: Sum, at: number) => log.readInt32BE(at) === a && log.readInt32BE(at + 4) === b;

  let sum = add([0, 0], 0, HEAD_BYTES - 8);
  let isWhole = isSum(sum, HEAD_BYTES - 8);
  let commits = 0;
  const frameBytes = FRAME_HEAD_BYTES + log.readUInt32BE(8);
  const salt = isWhole ? log.subarray(16, 24) : log.subarray(HEAD_BYTES + 8, HEAD_BYTES + 16);
  for (let at = HEAD_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    // What is left of an earlier use of the file has other salt, and nothing of this one comes after it.
    if (!log.subarray(at + 8, at + 16).equals(salt)) {
      isWhole = false;
      continue;
    }
    if (isWhole) {
      sum = add(add(sum, at, at + 8), at + FRAME_HEAD_BYTES, at + frameBytes);
      isWhole = isSum(sum, at + 16);
    }
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    if (!isWhole && isCommit) commits++;
  }
  return commits > 1 ? commits : 0;
}
