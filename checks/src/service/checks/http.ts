import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { hasNoBody, hasStatus, headerOf, holds, same } from '../expect.ts';
import type { Call, Response } from '../http.ts';
import { missingId } from '../orders.ts';

/** Headers that differ between any two responses. */
const ownToEach = ['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'ratelimit'];

const readable = [
  { operation: 'listOrders', path: '/store/orders' },
  { operation: 'listPets', path: '/pets' },
  { operation: 'getPet', path: '/pets/{petId}' },
];

const lasting = ({ headers }: Response) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !ownToEach.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export function httpChecks(suite: Suite, context: Context): void {
  headChecks(suite, context);
  requestIdChecks(suite, context);
}

function headChecks(suite: Suite, { client }: Context): void {
  const { check } = suite.section('v1.head', 'Decided: HEAD');
  // A raw request: an HTTP library would hide a body after the response to HEAD.
  const head = async (call: Call) => {
    const path = await client.pathOf(call.path);
    return client.sendBytes(client.requestText({ ...call, path, method: 'HEAD' }), `HEAD ${path}`);
  };

  for (const { operation, path } of readable) {
    check(
      `like-get.${operation}`,
      `HEAD \`${path}\` has the status and headers of GET, and no body`,
      async () => {
        const got = await client.send({ path });
        const response = await head({ path });
        hasStatus(response, 200);
        hasNoBody(response);
        same(lasting(response), lasting(got), 'the headers', response.request);
      },
    );
  }
  check('refusals-bare', 'HEAD has no body on 401 and 404 either', async () => {
    const rejected = await head({ path: '/store/orders', key: null });
    hasStatus(rejected, 401);
    hasNoBody(rejected);
    for (const path of ['/nothing', `/pets/${missingId}`]) {
      const response = await head({ path });
      hasStatus(response, 404);
      hasNoBody(response);
    }
  });
}

function requestIdChecks(suite: Suite, { client }: Context): void {
  const { check } = suite.section('v1.request-id', 'Decided: X-Request-Id');
  const echo = async (id: string, call: Call = { path: '/pets' }) =>
    headerOf(await client.send({ ...call, headers: { 'X-Request-Id': id } }), 'X-Request-Id');

  check('one-each', 'every response has a unique one', async () => {
    const seen = new Set<string>();
    for (let times = 0; times < 5; times += 1) {
      seen.add(headerOf(await client.send({ path: '/pets' }), 'X-Request-Id'));
    }
    same(seen.size, 5, 'a number of different ids');
  });
  check('kept', 'the request’s own is echoed if it is short and plain', async () => {
    for (const id of ['abc-123', '0f8fad5b-d9cb-469f-a165-70867728950e', 'A_b.9']) {
      same(await echo(id), id, 'X-Request-Id');
      same(await echo(id, { path: '/nothing', key: null }), id, 'X-Request-Id');
    }
  });
  check('long-replaced', 'a long one is replaced', async () => {
    for (const length of [300, 3000]) {
      const id = await echo('a'.repeat(length));
      holds(id.length < 100, 'an id of the service', id);
    }
  });
  check('strange-replaced', 'one with spaces, quotes, markup or line noise is replaced', async () => {
    for (const id of [
      'a b',
      '<script>',
      '"quoted"',
      "a'b",
      '{"a":1}',
      'a;b',
      'a\tb',
      'a,b',
      '$(x)',
      'caf\xe9',
      '%0d%0aX',
    ]) {
      const response = await echo(id);
      holds(response !== id && /^[\w.:-]+$/.test(response), 'an id of the service', response);
    }
  });
  check('empty-replaced', 'an empty one is replaced', async () => {
    holds((await echo('')) !== '', 'an id of the service', '');
  });
}
