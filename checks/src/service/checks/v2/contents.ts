import { Inconclusive, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { at, type Json } from '../../document.ts';
import { ensure, equal, expectError, expectSameBody, expectStatus } from '../../expect.ts';
import type { Call, Response } from '../../http.ts';
import { openTemporaryStore, type TemporaryStore } from '../../temporary-store.ts';
import { objectOf, pageOf } from '../../v2.ts';
import { invalidContents, stagingSection } from './sandbox.ts';

const MAX_STORES = 100;
const BATCH = 15;
const MAX_DATA_BYTES = 4 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** Contents besides the examples of the document. */
const otherContents: readonly object[] = [
  { dataSet: 'default', today: '1970-01-01' },
  { dataSet: 'default', today: '9998-12-31' },
  { dataSet: 'int64' },
  { dataSet: 'int64', seed: -3, today: '2028-02-29' },
  { dataSet: 'large', orders: 1 },
  { dataSet: 'large', orders: 30, today: '2030-02-03' },
  { today: '2030-02-03', data: { pets: [{ name: 'A', category: 'b', stock: 1 }], orders: [] } },
];

/** What a reset and a new temporary store have in common, and what sets stores apart. */
export function contentsChecks(suite: Suite, context: Context): void {
  const { v2, client } = context.staging ?? context;
  const title = 'temporary stores';
  const { check } = stagingSection(suite, context, 'stores', title, 'post /sandbox/stores');
  const ofReset = stagingSection(suite, context, 'sandbox', 'the sandbox', 'post /sandbox/reset');
  const reset = async (body: string) => {
    v2.onCleanUp(() => v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}'));
    return v2.send('POST', '/sandbox/reset', body);
  };
  const listsOf = async (store?: TemporaryStore): Promise<Response[]> => {
    const key = store && { key: store.key };
    return [
      await client.send({ path: '/store/orders', ...key }),
      await client.send({ path: '/pets', ...key }),
      await client.send({ prefix: client.v2, path: '/store/orders?limit=50', ...key }),
    ];
  };

  check(
    'contents',
    'a temporary store “takes the same contents as a reset”, byte for byte, and has an empty event log',
    async () => {
      const definition = (await v2.document.operations()).get('post /sandbox/stores');
      const examples = at(definition ?? {}, 'requestBody', 'content', 'application/json', 'examples');
      const given = Object.values(examples).map((example) => (example as Json).value as object);
      for (const contents of [...given, ...otherContents]) {
        const body = JSON.stringify(contents);
        const { revision: _, ...described } = objectOf(await reset(body));
        await using store = await openTemporaryStore(v2, body);
        const { key, expiresAt, revision, ...same } = objectOf(store.response, 201);
        equal(same, described, 'the response', body);
        for (const [index, list] of (await listsOf()).entries()) {
          const own = (await listsOf(store))[index] as Response;
          const [items, ownItems] = [list, own].map(({ text }) => text.replace(/"nextCursor":"[^"]*"/, ''));
          ensure(items === ownItems, `the same bytes as after a reset to ${body}`, own.text, own.request);
        }
        const summary = objectOf(await client.send(store.call('GET', '/store/summary')));
        equal(summary.revision, revision, 'the revision', body);
        const log = pageOf(await client.send(store.call('GET', '/store/events?after=0')));
        equal(log, { data: [], nextCursor: null }, 'the events', body);
      }
    },
  );
  check('invalid', 'contents that are 400 for a reset are 400 for a new store', async () => {
    for (const body of invalidContents)
      expectError(await v2.send('POST', '/sandbox/stores', body), 400, 'invalid_body');
    const unknownPet = '{"data":{"pets":[],"orders":[{"petId":1,"quantity":1}]}}';
    expectError(await v2.send('POST', '/sandbox/stores', unknownPet), 422, 'invalid_data');
  });
  check(
    'survives',
    'a temporary store “survives” the resets of the store that created it, and that one its deletion',
    async () => {
      await using store = await openTemporaryStore(v2, '{"dataSet":"int64"}');
      const before = await listsOf(store);
      expectStatus(await reset('{"dataSet":"empty"}'), 200);
      for (const [index, response] of (await listsOf(store)).entries()) {
        const [now, earlier] = [response, before[index] as Response];
        expectSameBody(now, earlier);
      }
      expectStatus(
        await client.send(store.call('POST', '/sandbox/reset', '{"dataSet":"large","orders":5}')),
        200,
      );
      const own = await listsOf();
      equal(
        own.slice(0, 2).map(({ text }) => text),
        ['[]', '[]'],
        'the lists of the other store',
      );
      expectStatus(await store.close(), 204);
      expectSameBody(await client.send({ path: '/pets' }), own[1] as Response);
      for (const call of [
        store.call('GET', '/pets'),
        store.call('POST', '/sandbox/reset', '{"dataSet":"empty"}'),
        store.call('DELETE', '/sandbox/stores/current'),
        { path: '/store/orders', key: store.key },
      ])
        expectError(await client.send(call), 401, 'invalid_api_key');
    },
  );
  check(
    'expiry',
    'the key of a temporary store is 401 from `expiresAt` on, as `Prefer: now` shows',
    async () => {
      await using store = await openTemporaryStore(v2, '{"dataSet":"empty","expiresIn":3600}');
      const expiresAt = Date.parse(String(objectOf(store.response, 201).expiresAt));
      const sendAt = (ms: number, call: Call) => {
        const Prefer = `now="${new Date(expiresAt + ms).toISOString()}"`;
        return client.send({ ...call, headers: { Prefer } });
      };
      for (const call of [store.call('GET', '/pets'), { path: '/store/orders', key: store.key }]) {
        expectStatus(await sendAt(-1000, call), 200);
        for (const ms of [0, 1000, DAY_MS]) expectError(await sendAt(ms, call), 401, 'invalid_api_key');
        expectStatus(await client.send(call), 200);
      }
    },
  );
  check(
    'requests',
    'requests of a temporary store “count towards the rate limit of the store that created” it',
    async () => {
      await using store = await openTemporaryStore(v2, '{"dataSet":"empty"}');
      const own: Call = { path: '/pets' };
      const other: Call = { path: '/pets', key: store.key };
      const left: number[] = [];
      for (const call of [own, other, other, own]) {
        const response = await client.send(call);
        const [, rest] = /"default";r=(\d+)/.exec(response.headers.ratelimit ?? '') ?? [];
        if (rest === undefined) throw new Inconclusive('no rate limit is set');
        left.push(Number(rest));
      }
      const [first = 0, ...others] = left;
      // A count that increases belongs to a new window.
      if (Math.max(...others) > first) throw new Inconclusive('the window ended meanwhile');
      equal(new Set(left).size, left.length, 'the number of different counts:', left.join());
    },
  );
  check(
    'limit',
    `“Up to ${MAX_STORES} temporary stores can exist at a time”: one more is 409 \`store_limit_reached\``,
    async () => {
      const closings: (() => Promise<unknown>)[] = [];
      const open = async () => {
        const response = await v2.send('POST', '/sandbox/stores', '{"dataSet":"empty","expiresIn":60}');
        if (response.status !== 201) {
          expectError(response, 409, 'store_limit_reached');
          return false;
        }
        const { key } = objectOf(response, 201);
        const path = '/sandbox/stores/current';
        closings.push(() => client.send({ method: 'DELETE', prefix: client.v2, path, key: String(key) }));
        return true;
      };
      try {
        // At the same time: the limit must hold for concurrent requests.
        for (let opened = [true]; opened.every((isOpen) => isOpen); ) {
          opened = await Promise.all(Array.from({ length: BATCH }, open));
          ensure(closings.length <= MAX_STORES, `at most ${MAX_STORES} stores`, closings.length);
        }
        // A few may be left of an earlier run.
        ensure(closings.length > MAX_STORES - 10, `${MAX_STORES} stores`, closings.length);
        await closings.pop()?.();
        equal(
          [await open(), await open()],
          [true, false],
          'whether one more can be opened after another ended:',
        );
      } finally {
        await Promise.all(closings.map((close) => close()));
      }
    },
  );
  ofReset.check(
    'size',
    'a body of the sandbox may have 4 MB; one more byte is 413 `payload_too_large`',
    async () => {
      const body = '{"dataSet":"none"}';
      for (const path of ['/sandbox/reset', '/sandbox/stores']) {
        expectError(await v2.send('POST', path, body.padEnd(MAX_DATA_BYTES)), 400, 'invalid_body');
        expectError(await v2.send('POST', path, body.padEnd(MAX_DATA_BYTES + 1)), 413, 'payload_too_large');
      }
      const rules = '[{"operation":"v1.nothing","fault":"drop"}]';
      expectError(await v2.send('PUT', '/sandbox/faults', rules.padEnd(65_536)), 400, 'invalid_body');
      expectError(await v2.send('PUT', '/sandbox/faults', rules.padEnd(65_537)), 413, 'payload_too_large');
    },
  );
}
