import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { run } from '../src/run.ts';
import { wireFuzzer } from '../src/wire/wire-fuzzer.ts';

/** The first problem the fuzzer finds with a service that always responds with these bytes. */
async function problemWith(response: string): Promise<string | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const whole = {
      first: 1,
      count: 30,
      until: Number.POSITIVE_INFINITY,
      lanes: 1,
      blocked: [],
      ended: () => undefined,
    };
    const { failures } = await run(wireFuzzer([{ origin, key: 'k' }], 1), whole);
    return failures[0]?.problem;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const error = '{"code":"bad_request","message":"No.","status":400}';
const errorResponse = (head: string, body = error) =>
  `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
const json = 'Content-Type: application/json';

it.each([
  ['bytes that are not HTTP', 'nonsense', /without an end/],
  ['an invalid status line', errorResponse('abc'), /status line/],
  ['a server error', errorResponse(`503 x\r\nX-Request-Id: a\r\n${json}`), /server error/],
  ['a missing X-Request-Id', errorResponse(`400 Bad Request\r\n${json}`), /no X-Request-Id/],
  [
    'a body that is not an Error',
    errorResponse(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`, '{}'),
    /not an Error/,
  ],
  [
    'a body of another status',
    errorResponse(`404 Not Found\r\nX-Request-Id: a\r\n${json}`),
    /another status/,
  ],
  [
    'a truncated body',
    errorResponse(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`).slice(0, -1),
    /shorter/,
  ],
  [
    'acceptance of anything',
    'HTTP/1.1 200 OK\r\nX-Request-Id: a\r\nContent-Length: 0\r\n\r\n',
    /requests? got 200/,
  ],
])('the wire fuzzer detects %s', async (_, response, problem) => {
  expect(await problemWith(response)).toMatch(problem);
});

it('finds nothing wrong with a service that rejects everything correctly', async () => {
  expect(await problemWith(errorResponse(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`))).toBeUndefined();
});
