import { inspect, isDeepStrictEqual } from 'node:util';
import type { Answer } from './http.ts';
import { parseExact } from './json.ts';
import { Mismatch } from './mismatch.ts';

const show = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : inspect(value, { breakLength: Infinity, compact: true, depth: 4, maxArrayLength: 8 });

export function same(actual: unknown, expected: unknown, what: string, where?: string): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Mismatch(`${what} ${show(expected)}`, show(actual), where);
  }
}

export function holds(condition: boolean, expected: string, received: unknown, where?: string): void {
  if (!condition) throw new Mismatch(expected, show(received), where);
}

export function hasStatus(answer: Answer, ...allowed: number[]): void {
  if (!allowed.includes(answer.status)) {
    throw new Mismatch(`status ${allowed.join(' or ')}`, summary(answer), answer.request);
  }
}

export function isJson(answer: Answer): void {
  const type = answer.headers['content-type'] ?? 'no content type';
  same(type.split(';')[0]?.trim().toLowerCase(), 'application/json', 'content type', answer.request);
}

export function hasNoBody(answer: Answer): void {
  holds(answer.body.length === 0, 'no body', answer.text, answer.request);
}

/** The bodies of two answers, byte for byte. */
export function sameBody(answer: Answer, expected: Answer): void {
  holds(
    answer.body.equals(expected.body),
    `the same bytes as ${expected.request}`,
    answer.text,
    answer.request,
  );
}

export function jsonOf(answer: Answer, status = 200): unknown {
  hasStatus(answer, status);
  isJson(answer);
  try {
    return parseExact(answer.text);
  } catch {
    throw new Mismatch('a JSON body', answer.text || 'an empty body', answer.request);
  }
}

/** An Error of the specification: three fields, no more, and a status that repeats the HTTP status. */
export function isError(answer: Answer, status: number, code?: string): void {
  const body = jsonOf(answer, status);
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  same(Object.keys(fields), ['code', 'message', 'status'], 'the fields', answer.request);
  same(fields.status, BigInt(status), 'the field `status`', answer.request);
  const { message, code: received } = fields;
  holds(
    typeof message === 'string' && message.trim() !== '',
    'a message for people',
    message,
    answer.request,
  );
  holds(typeof received === 'string' && /^[a-z_]+$/.test(received), 'a code', received, answer.request);
  if (code !== undefined) same(received, code, 'the code', answer.request);
}

export function headerOf(answer: Answer, name: string): string {
  const value = answer.headers[name.toLowerCase()];
  if (value === undefined) throw new Mismatch(`a header ${name}`, 'none', answer.request);
  return value;
}

export function hasNoHeader(answer: Answer, name: string): void {
  const value = answer.headers[name.toLowerCase()];
  holds(value === undefined, `no header ${name}`, value, answer.request);
}

/** The members of a comma-separated header, in lower case. */
export function membersOf(answer: Answer, name: string): string[] {
  return headerOf(answer, name)
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

export function summary(answer: Answer): string {
  if (answer.status === 0) return answer.text ? `something that is not HTTP: ${answer.text}` : 'no answer';
  return `${answer.status} ${answer.text || '(no body)'}`;
}
