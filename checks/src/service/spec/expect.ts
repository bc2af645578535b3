import { ensure, expectJson, expectStatus } from '../expect.ts';
import type { Response } from '../http.ts';
import { parseExact } from '../json.ts';
import { Mismatch } from '../mismatch.ts';

export type Fields = Record<string, unknown>;

// The checks of `spec` expect what the specification promises, and no more: further fields and headers are allowed.

export function jsonIn(response: Response): unknown {
  expectJson(response);
  try {
    return parseExact(response.text);
  } catch {
    throw new Mismatch('a JSON body', response.text || 'an empty body', response.request);
  }
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function expectErrorObject(response: Response, ...statuses: number[]): Fields {
  expectStatus(response, ...statuses);
  const body = jsonIn(response);
  if (!isObject(body)) throw new Mismatch('an Error object', response.text, response.request);
  for (const field of ['code', 'message', 'status'])
    ensure(field in body, `the field \`${field}\` in the Error object`, body, response.request);
  return body;
}

/** Expects an Error if there is a body: the specification leaves the body of some rejections open. */
export function expectErrorObjectIfAny(response: Response, ...statuses: number[]): void {
  expectStatus(response, ...statuses);
  if (response.body.length > 0) expectErrorObject(response, ...statuses);
}

/** Expects any 4xx other than 401: the specification leaves the status and the body of some rejections open. */
export function expectRejection(response: Response): void {
  const { status, request } = response;
  ensure(status >= 400 && status <= 499 && status !== 401, 'a status 4xx other than 401', status, request);
  expectErrorObjectIfAny(response, status);
}

/** An integer as JSON Schema has it, so `3.0` is one; undefined for any other value. */
export function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

export const isInt64 = (value: unknown): boolean => {
  const integer = integerOf(value);
  return integer !== undefined && BigInt.asIntN(64, integer) === integer;
};

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|[+-](\d\d)(?::?(\d\d))?)$/i;

/** A date-time of ISO 8601 with an offset. */
export function isDateTime(text: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offset = 0, offsetMinute = 0] =
    dateTime
      .exec(text)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  // Day 0 of the next month is the last of this one.
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= days;
  return isDay && hour <= 24 && minute <= 59 && second <= 60 && offset <= 23 && offsetMinute <= 59;
}
