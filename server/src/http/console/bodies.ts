import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { isAddress, normalAddress } from '../../accounts/email-address.ts';
import { passwordLimits } from '../../accounts/password-limits.ts';
import { type KeyScope, keyScopes } from '../../keys/scopes.ts';
import { parseDateTime } from '../content/date-time.ts';
import { ApiError } from '../errors.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const { longestSent } = passwordLimits;
const password = text(longestSent);

const credentials = reader(
  { email: text(1000), password },
  `email and password, both text, the password of at most ${longestSent} characters`,
);
export const passwordChange = reader(
  { currentPassword: password, newPassword: password },
  `currentPassword and newPassword, both text of at most ${longestSent} characters`,
);
export const passwordOnly = reader({ password }, `password, a text of at most ${longestSent} characters`);
export const rolling = reader(
  { overlap: Type.Union([Type.Literal('now'), Type.Literal('1h'), Type.Literal('24h')]) },
  "overlap: 'now', '1h' or '24h'",
);
const newKey = reader(
  {
    name: text(1000),
    expiresAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    scope: Type.Optional(Type.Union(keyScopes.map((scope) => Type.Literal(scope)))),
  },
  "name, a text, and optionally expiresAt, a date and time, and scope, 'full' or 'read'",
);

export function readSignUp(body: unknown) {
  const { email, password } = readSignIn(body);
  if (!isAddress(email)) throw invalid("'email' must be an e-mail address");
  return { email, password };
}

/** What is no address has no account: it is answered like any other that has none. */
export function readSignIn(body: unknown) {
  const { email, password } = credentials(body);
  return { email: normalAddress(email), password };
}

const LONGEST_NAME = 60;

interface NewKeyInput {
  readonly name: string;
  readonly expiresAt: bigint | null;
  readonly scope: KeyScope;
}

export function readNewKey(body: unknown, now: number): NewKeyInput {
  const { name, expiresAt = null, scope = 'full' } = newKey(body);
  const isPlain = name.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) && name.trim() !== '';
  if (!isPlain || [...name].length > LONGEST_NAME)
    throw invalid(`'name' must be a text of 1 to ${LONGEST_NAME} plain characters`);
  if (expiresAt === null) return { name, expiresAt, scope };
  const time = parseDateTime(expiresAt);
  if (time === undefined || time <= BigInt(now))
    throw invalid("'expiresAt' must be a date and time in the future, such as 2031-12-01T08:00:00Z");
  return { name, expiresAt: time, scope };
}

/** A function that lets only bodies with these fields through. Never repeats what was sent: it may be a password. */
function reader<F extends Record<string, TSchema>>(fields: F, described: string) {
  const schema = Type.Object(fields, { additionalProperties: false });
  const validator = Compile(schema);
  return (body: unknown): Static<typeof schema> => {
    if (!validator.Check(body)) throw invalid(`it must be a JSON object with ${described}`);
    return body as Static<typeof schema>;
  };
}

function invalid(reason: string): ApiError {
  return new ApiError('invalid_body', `The request body is not valid: ${reason}.`);
}
