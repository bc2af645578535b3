import { randomUUID } from 'node:crypto';
import { keyInText } from '../../keys/key-format.ts';

const plain = /^[A-Za-z0-9._:=-]{1,64}$/;

/** The client's own id if it is short and plain, and not a key sent by mistake; else a new one. */
export function requestId(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && plain.test(sent) && sent.search(keyInText) === -1) return sent;
  return randomUUID();
}
