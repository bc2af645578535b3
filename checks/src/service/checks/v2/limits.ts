import { Inconclusive, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { stagingSection } from './sandbox.ts';
import { sectionOf } from './section.ts';

export function rateLimitChecks(suite: Suite, context: Context): void {
  const { v2, client } = context;
  storeLimitChecks(suite, context);
  const { check } = sectionOf(suite, v2, 'limits', 'rate limits');

  check(
    'headers',
    '`RateLimit` and `RateLimit-Policy` on every response if there is a limit, counting down',
    async () => {
      const responses = [];
      for (const path of ['/store/orders?limit=1', '/pets/987654321', '/store/orders?limit=0', '/nothing']) {
        responses.push(await v2.get(path), await client.send({ path: '/pets' }));
      }
      const hasLimit = responses.some(
        ({ headers }) => 'ratelimit' in headers || 'ratelimit-policy' in headers,
      );
      if (!hasLimit) throw new Inconclusive('no rate limit is set');
      const left = responses.map((response) => {
        const policy = headerOf(response, 'RateLimit-Policy');
        ensure(
          /^"[^"]+";q=\d+;w=\d+$/.test(policy),
          'RateLimit-Policy: "…";q=…;w=…',
          policy,
          response.request,
        );
        const limit = headerOf(response, 'RateLimit');
        const [, rest] = /^"[^"]+";r=(\d+);t=\d+$/.exec(limit) ?? [];
        ensure(rest !== undefined, 'RateLimit: "…";r=…;t=…', limit, response.request);
        return Number(rest);
      });
      const [first = 0, second = 0] = left;
      ensure(second !== first, `a count other than ${first}`, second);
    },
  );
}

/** The store's own limit: requests, seconds and remaining requests; undefined if it has none. */
function ownLimitOf({ headers }: Response): string[] | undefined {
  const policy = /"store";q=(\d+);w=(\d+)/.exec(headers['ratelimit-policy'] ?? '');
  const [, left = ''] = /"store";r=(\d+)/.exec(headers.ratelimit ?? '') ?? [];
  return policy ? [...policy.slice(1), left] : undefined;
}

/** The rate limit that a temporary store sets for itself, on staging. */
function storeLimitChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'limits', 'rate limits', 'post /sandbox/stores');
  const { v2, client } = context.staging ?? context;
  const openLimited = () =>
    openTemporaryStore(v2, '{"dataSet":"empty","rateLimit":{"requests":5,"seconds":90}}');

  check(
    'after-reset',
    '`rateLimit`: “a reset without it starts a new window, and `null` lifts it”',
    async () => {
      await using store = await openLimited();
      const send = (...call: Parameters<typeof store.call>) =>
        client.send({ ...store.call(...call), isUnrecorded: true });
      const reset = async (text: string) => expectStatus(await send('POST', '/sandbox/reset', text), 200);
      for (const left of ['4', '3'])
        equal(ownLimitOf(await send('GET', '/pets')), ['5', '90', left], 'the limit');
      await reset('{"dataSet":"empty"}');
      const response = await send('GET', '/pets');
      equal(ownLimitOf(response), ['5', '90', '4'], 'the limit after a reset', response.request);
      await reset('{"dataSet":"empty","rateLimit":null}');
      const lifted = await send('GET', '/pets');
      equal(ownLimitOf(lifted), undefined, 'the limit after it was lifted', lifted.request);
    },
  );
  check(
    'own',
    'a store’s own limit is announced, and every request counts, whatever its response, except sandbox operations',
    async () => {
      await using store = await openLimited();
      const send = (path: string, prefix = client.v2, method = 'GET') =>
        client.send({ ...store.call(method, path), prefix, isUnrecorded: true });
      const v1 = client.base.pathname;
      const calls = [
        () => send('/pets', v1),
        () => send('/store/orders/9/ship', client.v2, 'POST'),
        () => send('/nothing'),
        () => send('/store/orders?limit=0'),
        () => send('/pets', v1, 'PUT'),
        () => send('/pets', v1),
        () => send('/store/orders/1', v1, 'DELETE'),
      ];
      const ofSandbox = [
        ['GET', '/sandbox/faults', 200],
        ['GET', '/sandbox/data', 200],
        ['DELETE', '/sandbox/faults', 204],
        ['PUT', '/sandbox/faults', 200, '[]'],
        ['POST', '/sandbox/stores', 403, '{}'],
        ['POST', '/sandbox/reset', 400, '{}'],
      ] as const;
      for (const [index, call] of calls.entries()) {
        for (const [method, path, status, body] of ofSandbox)
          expectStatus(await client.send(store.call(method, path, body)), status);
        const response = await call();
        const policy = /"store";q=(\d+);w=(\d+)/.exec(headerOf(response, 'RateLimit-Policy'));
        equal(policy?.slice(1), ['5', '90'], 'the policy: requests and seconds', response.request);
        const [, left, seconds] = /"store";r=(\d+);t=(\d+)/.exec(headerOf(response, 'RateLimit')) ?? [];
        equal(left, String(Math.max(0, 4 - index)), 'the remaining requests', response.request);
        ensure(Number(seconds) > 0 && Number(seconds) <= 90, 'up to 90 seconds', seconds, response.request);
        if (index < 5) ensure(response.status !== 429, 'no 429 yet', response.status, response.request);
        else {
          expectError(response, 429, 'rate_limited');
          equal(headerOf(response, 'Retry-After'), seconds, 'Retry-After', response.request);
        }
      }
    },
  );
}
