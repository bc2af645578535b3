import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Unavailable } from '../database/engine.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

const [N, r, p] = [16_384, 16, 1];
const cost: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r };
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** A hash is written `salt:key`, both in hexadecimal. It is the salt's text that goes into the key. */
export const scryptHasher: PasswordHasher = {
  async hash(password) {
    const salt = randomBytes(SALT_BYTES).toString('hex');
    return `${salt}:${(await derive(password, salt)).toString('hex')}`;
  },
  async verify({ hash, password }) {
    const [salt = '', key = ''] = hash.split(':');
    const [expected, given] = [Buffer.from(key, 'hex'), await derive(password, salt)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  },
};

const scryptKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, salt: string): Promise<Buffer> {
  return scryptKey(password.normalize('NFKC'), salt, KEY_BYTES, cost);
}

/** libuv has four threads for the whole process: two stay free for everything else. */
export const hashLimits = { running: 2, waiting: 64 } as const;

const lines = new Map<string, Array<PromiseWithResolvers<void>>>();
let free: number = hashLimits.running;

/** Hashes now, or when it is the address's turn. Beyond so many that wait, the last of whoever has most is refused. */
export async function inTurn<T>(address: string, hash: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await turnOf(address);
  try {
    return await hash();
  } finally {
    startNext();
  }
}

function turnOf(address: string): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const line = lines.get(address) ?? [];
  line.push(turn);
  lines.set(address, line);
  const all = [...lines.values()];
  if (all.flat().length > hashLimits.waiting) {
    const longest = all.reduce((most, one) => (one.length > most.length ? one : most), line);
    longest.pop()?.reject(new Unavailable('too many passwords wait to be hashed'));
    if (line.length === 0) lines.delete(address);
  }
  return turn.promise;
}

function startNext(): void {
  const [next] = lines;
  if (!next) {
    free++;
    return;
  }
  const [address, [first, ...others]] = next;
  // Served once, an address goes to the end.
  lines.delete(address);
  if (others.length > 0) lines.set(address, others);
  first?.resolve();
}
