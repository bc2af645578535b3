import { passwordLimits } from '../domain/password-limits.ts';
import { keyScopes } from '../domain/vocabulary.ts';
import { parseDateTime } from '../http/encoding/date-time.ts';
import { readFields } from '../http/fields/body.ts';
import { bodyField, type Fields, isText, oneOf, optional } from '../http/fields/field.ts';
import type { Request } from '../http/server/request.ts';
import { readBody } from '../http/server/request-body.ts';

const readJson = readBody();

function bodyReader<F extends Fields>(fields: F) {
  return async (request: Request) => {
    await readJson(request);
    return readFields(fields, request.body);
  };
}

/** No description: the console's own API is undocumented. */
const field = <T>(expected: string, read: (value: unknown) => T | undefined) =>
  bodyField({ description: '' }, expected, read);

const text = (maxLength: number, normalize = (value: string) => value) =>
  field(`a string of 1 to ${maxLength} characters`, (value) =>
    isText(value, maxLength) ? normalize(value) : undefined,
  );

const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const MAX_EMAIL_LENGTH = 254;

export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function isEmail(normalized: string): boolean {
  return normalized.length <= MAX_EMAIL_LENGTH && emailPattern.test(normalized);
}

const email = field('an email address', (value) => {
  const normalized = typeof value === 'string' ? normalizeEmail(value) : '';
  return isEmail(normalized) ? normalized : undefined;
});

const password = text(passwordLimits.maxSentLength);
export const readSignUp = bodyReader({ email, password });
/** A malformed email address gets the same response as an unknown one. */
export const readSignIn = bodyReader({ email: text(1000, normalizeEmail), password });
export const readPasswordChange = bodyReader({ currentPassword: password, newPassword: password });
export const readPassword = bodyReader({ password });
export const readKey = bodyReader({ key: text(1000) });
export const readRoll = bodyReader({ overlap: oneOf('', {}, ['now', '1h', '24h']) });
export const keyState = oneOf('', {}, ['working', 'past']);

export const MAX_NAME_LENGTH = 60;
const name = field(`a string of 1 to ${MAX_NAME_LENGTH} visible characters`, (value) => {
  const isPlain = isText(value, MAX_NAME_LENGTH) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value);
  return isPlain && value.trim() !== '' ? value : undefined;
});

const expiry = (clock: () => number) =>
  field('a date and time in the future, such as 2031-12-01T08:00:00Z', (value) => {
    if (value === null) return null;
    const time = typeof value === 'string' ? parseDateTime(value) : undefined;
    return time !== undefined && time > clock() ? time : undefined;
  });

const scope = oneOf('', {}, keyScopes);
export const newKeyReader = (clock: () => number) =>
  bodyReader({ name, expiresAt: optional(expiry(clock)), scope: optional(scope) });
