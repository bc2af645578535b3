import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type DeploymentName, deployments } from './deployment.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
export const KEY_LENGTH_AFTER_PREFIX = RANDOM_LENGTH + CHECKSUM_LENGTH;

const keyAfterPrefix = new RegExp(`^[0-9A-Za-z]{${KEY_LENGTH_AFTER_PREFIX}}$`);

const anyPrefix = '(pst_(?:live|test)_)';
export const keyInText = new RegExp(`${anyPrefix}[0-9A-Za-z]{${RANDOM_LENGTH},}`, 'g');
/** Matches text that may be a key without its prefix. */
export const bareKeyInText = new RegExp(`[0-9A-Za-z]{${RANDOM_LENGTH},}`, 'g');
/** Also matches a key that the end of the text cuts off: what remains may be enough to guess it. */
export const keyInTruncatedText = new RegExp(
  `${anyPrefix}(?:[0-9A-Za-z]{${RANDOM_LENGTH},}|[0-9A-Za-z]+$)`,
  'g',
);

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
}

export function generateKey(deployment: DeploymentName): string {
  const body = deployments[deployment].keyPrefix + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

export type IsKey = (text: string) => boolean;

export function keyMatcher(deployment: DeploymentName, staticKey?: string): IsKey {
  const { keyPrefix } = deployments[deployment];
  return (text) =>
    text === staticKey ||
    (text.startsWith(keyPrefix) &&
      keyAfterPrefix.test(text.slice(keyPrefix.length)) &&
      checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH));
}

/** Only this hash is stored and compared. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** Detects typos without a database read. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length] + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
