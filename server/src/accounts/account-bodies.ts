import { parseDateTime } from '../http/content/date-time.ts';
import { invalidBody, readFields } from '../http/fields/body.ts';
import { type Field, type Fields, isText, oneOf, optional } from '../http/fields/field.ts';
import type { Request } from '../http/server/request.ts';
import { readBody } from '../http/server/request-body.ts';
import { passwordLimits } from '../password-limits.ts';
import { keyScopes } from '../vocabulary.ts';

function field<T>(expected: string, isValid: (value: unknown) => value is T): Field<T> {
  const read = (value: unknown) => (isValid(value) ? value : undefined);
  return { description: '', schema: {}, read, expected };
}

const text = (maxLength: number) =>
  field(`a text of 1 to ${maxLength} characters`, (value) => isText(value, maxLength));

const readJson = readBody();

function bodyWith<F extends Fields>(fields: F) {
  return async (request: Request) => {
    await readJson(request);
    return readFields(fields, request.body);
  };
}

const password = text(passwordLimits.longestSent);
export const readPasswordChange = bodyWith({ currentPassword: password, newPassword: password });
export const readPassword = bodyWith({ password });
export const readKey = bodyWith({ key: text(1000) });
export const readRoll = bodyWith({ overlap: oneOf('', {}, ['now', '1h', '24h']) });

export async function readSignUp(request: Request) {
  const { email, password } = await readSignIn(request);
  if (!isAddress(email)) throw invalidBody("'email' must be an e-mail address");
  return { email, password };
}

const readCredentials = bodyWith({ email: text(1000), password });

/** An address that cannot be one is answered like one that has no account. */
export async function readSignIn(request: Request) {
  const { email, password } = await readCredentials(request);
  return { email: normalAddress(email), password };
}

const LONGEST_ADDRESS = 254;
const addressShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

export function normalAddress(text: string): string {
  return text.trim().toLowerCase();
}

export function isAddress(normal: string): boolean {
  return normal.length <= LONGEST_ADDRESS && addressShape.test(normal);
}

const LONGEST_NAME = 60;

const readKeyFields = bodyWith({
  name: text(1000),
  expiresAt: optional(
    field('null or a date and time', (value) => value === null || typeof value === 'string'),
  ),
  scope: optional(oneOf('', {}, keyScopes)),
});

export async function readNewKey(request: Request, now: () => number) {
  const { name, expiresAt = null, scope = 'full' } = await readKeyFields(request);
  const isPlain = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) && name.trim() !== '';
  if (!isPlain || [...name].length > LONGEST_NAME)
    throw invalidBody(`'name' must be a text of 1 to ${LONGEST_NAME} plain characters`);
  const time = expiresAt === null ? null : parseDateTime(expiresAt);
  if (time === undefined || (time !== null && time <= BigInt(now())))
    throw invalidBody("'expiresAt' must be a date and time in the future, such as 2031-12-01T08:00:00Z");
  return { name, expiresAt: time, scope };
}
