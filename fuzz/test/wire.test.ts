import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { run } from '../src/run.ts';
import { wireFuzzer } from '../src/wire/wire-fuzzer.ts';

/** The first problem that the fuzzer has with a service which answers everything with these bytes. */
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
      held: [],
      ended: () => undefined,
    };
    const { failures } = await run(wireFuzzer([{ origin, key: 'k' }], 1), whole);
    return failures[0]?.problem;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const error = '{"code":"bad_request","message":"No.","status":400}';
const refusal = (head: string, body = error) =>
  `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
const json = 'Content-Type: application/json';

it.each([
  ['what is no HTTP', 'nonsense', /without an end/],
  ['a status line that is none', refusal('abc'), /status line/],
  ['an error of the service', refusal(`503 x\r\nX-Request-Id: a\r\n${json}`), /error of the service/],
  ['a missing X-Request-Id', refusal(`400 Bad Request\r\n${json}`), /no X-Request-Id/],
  ['a body that is no Error', refusal(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`, '{}'), /not an Error/],
  ['a body of another status', refusal(`404 Not Found\r\nX-Request-Id: a\r\n${json}`), /another status/],
  ['a body cut short', refusal(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`).slice(0, -1), /shorter/],
  [
    'anything being accepted',
    'HTTP/1.1 200 OK\r\nX-Request-Id: a\r\nContent-Length: 0\r\n\r\n',
    /requests? got 200/,
  ],
])('the wire fuzzer detects %s', async (_, response, problem) => {
  expect(await problemWith(response)).toMatch(problem);
});

it('finds nothing wrong with a service that rejects everything correctly', async () => {
  expect(await problemWith(refusal(`400 Bad Request\r\nX-Request-Id: a\r\n${json}`))).toBeUndefined();
});
