import { randomUUID } from 'node:crypto';
import { keyInText } from '../../key-format.ts';

const longRuns = /[0-9A-Za-z]{32,}/g;
const plain = /^[A-Za-z0-9._:=-]{1,64}$/;

/** A key without its prefix has both cases; ids in hexadecimal have one. */
const couldBeKey = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);

/** The id that the client sent, unless it may hold a key: ids are logged and shown. */
export function requestId(sent: string | string[] | undefined): string {
  if (typeof sent !== 'string' || !plain.test(sent) || sent.search(keyInText) !== -1) return randomUUID();
  return sent.match(longRuns)?.some(couldBeKey) ? randomUUID() : sent;
}
