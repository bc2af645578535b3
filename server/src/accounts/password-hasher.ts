import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { fairQueue } from './fair-queue.ts';

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

export const hashLimits = { running: 2, waiting: 64 } as const;

/** libuv has four threads for the whole process: two stay free for everything else. */
const inTurn = fairQueue(hashLimits);

/** A hasher that waits its turn among all addresses. */
export function queued(hasher: PasswordHasher): (address: string) => PasswordHasher {
  return (address) => ({
    hash: (password) => inTurn(address, () => hasher.hash(password)),
    verify: (given) => inTurn(address, () => hasher.verify(given)),
  });
}
