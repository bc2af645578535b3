import { randomUUID } from 'node:crypto';
import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { at, type Json } from '../../document.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import type { Call } from '../../http.ts';
import { openTemporaryStore } from '../../temporary-store.ts';
import { orderIn } from '../../v2.ts';
import { callOf, operationsOf } from '../table/operations.ts';
import { stagingSection } from './sandbox.ts';

const DAY_MS = 86_400_000;
const json = { 'Content-Type': 'application/json' };
const preferences = [
  'code=503',
  'fault=drop',
  'fault=truncate',
  'colour=red, handling=strict',
  'now="2090-01-01T00:00:00Z"',
];

/** What preferences do not affect. */
export function preferenceChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'faults', 'failures on demand', 'put /sandbox/faults');
  const target = { ...context, ...context.staging };
  const { v2, client } = target;

  check('ignored', '“Sandbox operations and unknown paths ignore preferences”', async () => {
    const named = (await operationsOf(target)).filter(({ path }) => path.startsWith('/sandbox'));
    await using store = await openTemporaryStore(v2, '{"dataSet":"empty"}');
    const { key } = store;
    const calls: [Call, number][] = ['/nothing', '/store/order', '/pets/1/2'].map((path) => [{ path }, 404]);
    for (const operation of named) {
      const { path, definition, method } = operation;
      if (path.endsWith('/current')) continue;
      const [example] = Object.values(
        at(definition, 'requestBody', 'content', 'application/json', 'examples'),
      ) as Json[];
      const body = example && { body: JSON.stringify(example.value), headers: json };
      // A temporary store may not create another: as good a response as any.
      const status = path.endsWith('/stores') ? 403 : method === 'DELETE' ? 204 : 200;
      calls.push([{ ...callOf(operation, path), ...body, key }, status]);
    }
    for (const [call, status] of calls)
      for (const preference of preferences) {
        const headers = { ...call.headers, Prefer: preference };
        const response = await client.send({ ...call, headers });
        expectStatus(response, status);
        expectNoHeader(response, 'Preference-Applied');
      }
  });
  check('both', '`now` and a fault in one request are both applied, and listed', async () => {
    const now = `now="${new Date(Date.now() + DAY_MS).toISOString()}"`;
    const response = await client.send({ path: '/pets', headers: { Prefer: `${now}, fault=delay; ms=1` } });
    expectStatus(response, 200);
    const applied = headerOf(response, 'Preference-Applied').split(/, */).sort();
    equal(applied, ['fault=delay', now], 'Preference-Applied', response.request);
  });
  check(
    'real-clock',
    '“Rate limits, idempotency keys … follow the real clock”, not `Prefer: now`',
    async () => {
      const later = { Prefer: `now="${new Date(Date.now() + 10 * DAY_MS).toISOString()}"` };
      const body = `{"petId":${await v2.newPet(5)},"quantity":1}`;
      const headers = { 'Idempotency-Key': randomUUID() };
      const placed = await v2.tryToPlace(body, headers);
      expectStatus(placed, 201);
      for (const preferred of [later, {}]) {
        const again = await v2.tryToPlace(body, { ...headers, ...preferred });
        expectSameBody(again, placed);
        equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', again.request);
      }
      // A key that is first used in the future is a key of today, too.
      const other = { 'Idempotency-Key': randomUUID() };
      const first = orderIn(await v2.tryToPlace(body, { ...other, ...later }), 201);
      equal(orderIn(await v2.tryToPlace(body, other), 201).id, first.id, 'the order');
      await using store = await openTemporaryStore(
        v2,
        '{"dataSet":"empty","expiresIn":86400,"rateLimit":{"requests":9,"seconds":90}}',
      );
      const soon = { Prefer: `now="${new Date(Date.now() + 3_600_000).toISOString()}"` };
      const left = [];
      for (const preferred of [{}, soon, {}, soon]) {
        const call = store.call('GET', '/pets');
        const response = await client.send({ ...call, headers: preferred, isUnrecorded: true });
        const [, rest] = /"store";r=(\d+)/.exec(headerOf(response, 'RateLimit')) ?? [];
        left.push(rest);
      }
      equal(left, ['8', '7', '6', '5'], 'the remaining requests');
    },
  );
  check(
    'latest-now',
    '`now` up to the start of 9999 is applied, and times derived from it stay valid',
    async () => {
      const headers = { Prefer: 'now="9999-01-01T00:00:00Z"' };
      const placed = await v2.tryToPlace(`{"petId":${await v2.newPet(1)},"quantity":1}`, headers);
      const { placedAt, shipDate } = orderIn(placed, 201);
      equal(
        [placedAt, shipDate],
        ['9999-01-01T00:00:00.000Z', '9999-01-04T00:00:00.000Z'],
        'placedAt and shipDate',
      );
      const beyond = { Prefer: 'now="9999-01-01T00:00:00.001Z", handling=strict' };
      expectError(await client.send({ path: '/pets', headers: beyond }), 400, 'invalid_preference');
      const past = { Prefer: 'now="2000-01-01T00:00:00Z", handling=strict' };
      expectError(await client.send({ path: '/pets', headers: past }), 400, 'invalid_preference');
      const ignored = { Prefer: 'now="2000-01-01T00:00:00Z"' };
      const order = orderIn(
        await v2.tryToPlace(`{"petId":${await v2.newPet(1)},"quantity":1}`, ignored),
        201,
      );
      ensure(
        Math.abs(Date.parse(String(order.placedAt)) - Date.now()) < 60_000,
        'the current time',
        order.placedAt,
      );
    },
  );
}
