import { inspect, isDeepStrictEqual } from 'node:util';
import type { Response } from './http.ts';
import { parseExact } from './json.ts';
import { Mismatch } from './mismatch.ts';

const show = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : inspect(value, { breakLength: Infinity, compact: true, depth: 4, maxArrayLength: 8 });

export function equal(actual: unknown, expected: unknown, what: string, where?: string): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Mismatch(`${what} ${show(expected)}`, show(actual), where);
  }
}

export function ensure(condition: boolean, expected: string, received: unknown, where?: string): void {
  if (!condition) throw new Mismatch(expected, show(received), where);
}

export function expectStatus(response: Response, ...allowed: number[]): void {
  if (!allowed.includes(response.status)) {
    throw new Mismatch(`status ${allowed.join(' or ')}`, summary(response), response.request);
  }
}

export function expectJson(response: Response): void {
  const type = response.headers['content-type'] ?? 'no content type';
  equal(type.split(';')[0]?.trim().toLowerCase(), 'application/json', 'content type', response.request);
}

export function expectNoBody(response: Response): void {
  ensure(response.body.length === 0, 'no body', response.text, response.request);
}

/** The status and the body of two responses, byte for byte. */
export function expectSameBody(response: Response, expected: Response): void {
  expectStatus(response, expected.status);
  ensure(
    response.body.equals(expected.body),
    `the same bytes as ${expected.request}`,
    response.text,
    response.request,
  );
}

export function jsonOf(response: Response, status = 200): unknown {
  expectStatus(response, status);
  expectJson(response);
  try {
    return parseExact(response.text);
  } catch {
    throw new Mismatch('a JSON body', response.text || 'an empty body', response.request);
  }
}

/** An Error of the specification: three fields, no more, and a status that repeats the HTTP status. */
export function expectError(response: Response, status: number, code?: string): void {
  const body = jsonOf(response, status);
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  // In version 2, `pointer` may name the invalid field of the request body; it is absent for other errors.
  const { pointer } = fields;
  const isPointer =
    typeof pointer === 'string' &&
    pointer.startsWith('/') &&
    [400, 422].includes(status) &&
    /^(POST|PUT|PATCH|QUERY) \S*\/v2\//.test(response.requestText);
  const names = Object.keys(fields).filter((name) => name !== 'pointer' || !isPointer);
  equal(names, ['code', 'message', 'status'], 'the fields', response.request);
  equal(fields.status, BigInt(status), 'the field `status`', response.request);
  const { message, code: received } = fields;
  ensure(
    typeof message === 'string' && message.trim() !== '',
    'a message for people',
    message,
    response.request,
  );
  ensure(typeof received === 'string' && /^[a-z_]+$/.test(received), 'a code', received, response.request);
  if (code !== undefined) equal(received, code, 'the code', response.request);
}

export function headerOf(response: Response, name: string): string {
  const value = response.headers[name.toLowerCase()];
  if (value === undefined) throw new Mismatch(`a header ${name}`, 'none', response.request);
  return value;
}

export function expectNoHeader(response: Response, name: string): void {
  const value = response.headers[name.toLowerCase()];
  ensure(value === undefined, `no header ${name}`, value, response.request);
}

/** The members of a comma-separated header, in lower case. */
export function membersOf(response: Response, name: string): string[] {
  return headerOf(response, name)
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

export function summary(response: Response): string {
  if (response.status === 0)
    return response.text ? `something that is not HTTP: ${response.text}` : 'no response';
  return `${response.status} ${response.text || '(no body)'}`;
}
