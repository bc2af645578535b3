import { expect, it } from 'vitest';
import { isComplete, requestByteCount } from '../src/engine/request-length.ts';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n';
const chunked = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n';

it.for([
  ['a request without a body', '', get, get.length],
  ['pipelined requests', '', get + get, get.length],
  ['the rest of a body, and the next request', `${post}a`, `bc${get}`, 2],
  ['the beginning of a header', 'GET / HT', 'TP/1.1\r\n', 8],
  ['chunks, whose length is unknown', chunked, `3\r\nabc\r\n0\r\n\r\n`, 13],
] as const)('finds what belongs to a request: %s', ([, request, bytes, length]) => {
  expect(requestByteCount(request, Buffer.from(bytes))).toBe(length);
});

it('recognizes a complete request', () => {
  for (const full of [get, `${post}abc`, chunked]) expect(isComplete(full)).toBe(true);
  for (const part of ['', 'GET / HTTP/1.1\r\n', `${post}ab`]) expect(isComplete(part)).toBe(false);
});
