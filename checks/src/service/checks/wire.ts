import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { ensure, expectError, expectStatus, summary } from '../expect.ts';
import type { Response } from '../http.ts';

const MAX_TARGET_LENGTH = 8 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

const expectClientError = (response: Response) => {
  ensure(
    response.status >= 400 && response.status < 500,
    'a response from 400 to 499',
    summary(response),
    response.request,
  );
  expectError(response, response.status);
};

export function wireChecks(suite: Suite, { client }: Context): void {
  const { check } = suite.section('v1.wire', 'Decisions: malformed HTTP');
  const plain = client.requestText({ path: '/pets' });
  const send = (bytes: string, name: string) => client.sendBytes(bytes, name);
  const withHeader = (line: string) => plain.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`);

  check('escape-in-id', 'a malformed escape in place of an id is 404 `not_found`', async () => {
    for (const id of ['%ZZ', '%', '%E0%A4%A', '%c0%ae', '1%']) {
      expectError(await client.send({ method: 'DELETE', path: `/store/orders/${id}` }), 404, 'not_found');
      expectError(await client.send({ path: `/pets/${id}` }), 404, 'not_found');
    }
  });
  check(
    'escape-in-path',
    'a malformed escape elsewhere in a path is an Error: 404 `not_found` or 400 `bad_request`',
    async () => {
      for (const path of ['/%', '/store/%ZZ', '/%E0%A4%A/orders', '/pets%']) {
        const response = await client.send({ path });
        expectStatus(response, 400, 404);
        expectError(response, response.status, response.status === 404 ? 'not_found' : 'bad_request');
      }
    },
  );
  check('escape-without-key', 'a malformed escape in a path is 401 without a key', async () => {
    for (const path of ['/store/orders/%ZZ', '/pets/%', '/%E0%A4%A']) {
      expectError(await client.send({ method: 'DELETE', path, key: null }), 401, 'missing_api_key');
    }
  });
  check('not-http', 'bytes that are not HTTP are 400 `bad_request`', async () => {
    for (const bytes of [
      'garbage\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
      '{"a":1}\r\n\r\n',
    ]) {
      expectError(await send(bytes, 'bytes that are not HTTP'), 400, 'bad_request');
    }
  });
  check('http-version', 'a version of HTTP that does not exist is an Error', async () => {
    expectClientError(await send(plain.replace('HTTP/1.1', 'HTTP/9.9'), 'HTTP/9.9'));
    expectClientError(await send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'the preface of HTTP/2'));
  });
  check('method', 'an unknown method is 501 `not_implemented`', async () => {
    expectError(await send(plain.replace('GET ', 'FETCH '), 'FETCH /pets'), 501, 'not_implemented');
    expectError(await send(plain.replace('GET ', 'get '), 'get /pets'), 501, 'not_implemented');
  });
  check('no-host', 'a request without `Host` is 400 `bad_request`', async () => {
    expectError(await send(plain.replace(/Host: .*\r\n/, ''), 'GET /pets without Host'), 400, 'bad_request');
  });
  check(
    'header-form',
    'a header without a colon, or with a space in its name, is 400 `bad_request`',
    async () => {
      for (const line of ['nonsense', 'X Y: z', ': empty']) {
        expectError(await send(withHeader(line), `GET /pets with the line “${line}”`), 400, 'bad_request');
      }
    },
  );
  check(
    'length',
    'a length that is not a number, or two conflicting lengths, are 400 `bad_request`',
    async () => {
      const both = 'Content-Length: 3\r\nTransfer-Encoding: chunked';
      for (const line of [
        'Content-Length: abc',
        'Content-Length: -1',
        both,
        'Content-Length: 1\r\nContent-Length: 2',
      ]) {
        expectError(
          await send(`${withHeader(line)}abc`, 'GET /pets with an impossible length'),
          400,
          'bad_request',
        );
      }
    },
  );
  check('chunks', 'a chunked body that is broken is ignored or an Error', async () => {
    const response = await send(
      `${withHeader('Transfer-Encoding: chunked')}zz\r\n`,
      'GET /pets with broken chunks',
    );
    if (response.status !== 200) expectClientError(response);
  });
  check('expect', 'an unknown expectation is ignored or an Error', async () => {
    const response = await send(withHeader('Expect: a-miracle'), 'GET /pets with an Expect header');
    if (response.status !== 200) expectClientError(response);
  });
  check('headers-too-large', 'headers that are too large are 431 `headers_too_large`', async () => {
    const response = await send(
      withHeader(`X-Filler: ${'x'.repeat(MAX_HEADER_BYTES + 100)}`),
      'GET /pets with more than 32 KiB of headers',
    );
    expectError(response, 431, 'headers_too_large');
  });
  check('many-headers', 'excess headers are ignored or an Error', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => `X-${i}: a`).join('\r\n');
    const response = await send(withHeader(many), 'GET /pets with 1,500 headers');
    if (response.status !== 200) expectClientError(response);
  });
  check('uri-too-long', 'a URL that is too long is 414 `uri_too_long`', async () => {
    for (const path of [`/pets?x=${'x'.repeat(12_000)}`, `/store/orders/${'1'.repeat(12_000)}`]) {
      for (const prefix of [client.base.pathname, client.v2])
        expectError(await client.send({ prefix, path }), 414, 'uri_too_long');
    }
  });
  check('long-uri', 'a request target of 8 KiB is accepted; one more character is 414', async () => {
    const prefix = client.base.pathname.replace(/\/+$/, '');
    const path = '/pets?x='.padEnd(MAX_TARGET_LENGTH - prefix.length, 'x');
    expectStatus(await client.send({ path }), 200);
    expectError(await client.send({ path: `${path}x` }), 414, 'uri_too_long');
  });
  check('long-headers', 'headers of just under 32 KiB in total are accepted', async () => {
    for (const length of [15_000, 32_000]) {
      const line = `X-Filler: ${'x'.repeat(length)}`;
      expectStatus(await send(withHeader(line), `GET /pets with ${length} bytes in a header`), 200);
    }
  });
  check('still-answers', 'after all these requests, the service still responds', async () => {
    expectStatus(await client.send({ path: '/store/orders' }), 200);
    expectStatus(await client.send({ path: '/pets' }), 200);
  });
}
