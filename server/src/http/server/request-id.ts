import { randomUUID } from 'node:crypto';
import { keyInText } from '../../key-format.ts';

const longRuns = /[0-9A-Za-z]{32,}/g;
const plain = /^[A-Za-z0-9._:=-]{1,64}$/;

/**
 * A key without its prefix is a long run of letters and digits in both cases; ids in hexadecimal, such as a UUID
 * without its dashes, are in one. That a key looks like those happens once in ten million.
 */
const couldBeKey = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);

/** The client's own id if it is short and plain, and not a key sent by mistake, whole or in part; else a new one. */
export function requestId(sent: string | string[] | undefined): string {
  if (typeof sent !== 'string' || !plain.test(sent) || sent.search(keyInText) !== -1) return randomUUID();
  return sent.length >= 32 && sent.match(longRuns)?.some(couldBeKey) ? randomUUID() : sent;
}
