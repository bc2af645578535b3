import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { pipelineFuzzer } from '../src/pipelines/pipeline-fuzzer.ts';
import { run } from '../src/run.ts';

const ATTEMPTS = 60;

/** The first problem the fuzzer finds with a plain server that responds like this. */
async function problemWith(respond: RequestListener): Promise<string | undefined> {
  const server = createServer((request, res) => {
    request.resume().on('error', () => {});
    respond(request, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const whole = { first: 1, count: ATTEMPTS, until: Number.POSITIVE_INFINITY, lanes: 4, blocked: [] };
    const { failures } = await run(pipelineFuzzer([{ origin, key: 'k' }], 1), {
      ...whole,
      ended: () => undefined,
    });
    return failures[0]?.problem;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const echo: RequestListener = (request, res) =>
  res.setHeader('x-request-id', request.headers['x-request-id'] ?? '').end('answer');

it('the pipeline fuzzer finds nothing wrong with plain node:http', async () => {
  expect(await problemWith(echo)).toBeUndefined();
});

it('detects swapped responses', async () => {
  let last = 'none';
  const crossed = await problemWith(({ headers }, res) => {
    res.setHeader('x-request-id', last).end('answer');
    last = String(headers['x-request-id']);
  });
  expect(crossed).toMatch(/is for .*, not for pipeline/);
});

it('detects silently dropped requests', async () => {
  const dropped = await problemWith((request, res) => {
    if (String(request.headers['x-request-id']).endsWith('.0')) echo(request, res);
    else request.socket.destroy();
  });
  expect(dropped).toMatch(/requests got a response, and the last one does not end the connection/);
});
