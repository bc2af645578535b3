import { randomUUID } from 'node:crypto';
import type { Suite } from '../../check.ts';
import { type Context, onStaging } from '../../context.ts';
import { at, type Json } from '../../document.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectStatus,
  headerOf,
  jsonOf,
  membersOf,
} from '../../expect.ts';
import type { Call } from '../../http.ts';
import { type Fields, objectOf } from '../../v2.ts';
import { revisionOf } from '../v2/events.ts';
import { stagingSection } from '../v2/sandbox.ts';
import {
  callOf,
  documentedResponse,
  isStream,
  operationsOf,
  type Samples,
  samplePath,
} from './operations.ts';

/** Operations of version 2 to try an error status on. 404, 409, 410 and 422 are tried on all. */
const MAX_OPERATIONS = 6;
const json = { 'Content-Type': 'application/json' };

/** Faults, and whether the change is made although its response may not arrive. */
const faults = [
  { fault: 'status', parameters: { code: 503 }, isDone: false },
  { fault: 'drop', isDone: false },
  { fault: 'reset', isDone: false },
  { fault: 'garbage', isDone: false },
  { fault: 'truncate', isDone: true },
  { fault: 'lost-answer', isDone: true },
  { fault: 'delay', parameters: { ms: 20 }, isDone: true },
  { fault: 'slow', parameters: { ms: 20 }, isDone: true },
  { fault: 'stale-connection', isDone: true },
] as const;

/** What `Preference-Applied` lists for a preference: preferences and values, without parameters. */
const preferences: readonly [prefer: string, applied: string | undefined][] = [
  ['fault=delay; ms=10', 'fault=delay'],
  ['fault=slow;ms=10', 'fault=slow'],
  ['fault=stale-connection', 'fault=stale-connection'],
  ['code=503', 'code=503'],
  ['code=503; retryAfter=7', 'code=503'],
  ['handling=lenient, code=503', 'code=503'],
  ['fault=delay; ms=10, code=503', 'fault=delay'],
  ['code=503, fault=drop', 'code=503'],
  ['fault=none, code=418, code=503', undefined],
  ['code=418, fault=delay; ms=10', 'fault=delay'],
  ['now="2000-01-01T00:00:00Z"', undefined],
  ['now="9999-01-01T00:00:00.001Z"', undefined],
  ['now="2030-02-30T00:00:00Z"', undefined],
  ['now="2030-01-01T00:00:00Z"', 'now="2030-01-01T00:00:00Z"'],
  ['colour=red', undefined],
  ['return=minimal', undefined],
];

/** Every fault and preference, for changes and reads of both versions. */
export function everyFaultChecks(
  suite: Suite,
  context: Context,
  samplesOf: (context: Context) => () => Promise<Samples>,
): void {
  const { check } = stagingSection(suite, context, 'faults', 'failures on demand', 'put /sandbox/faults');
  const target = onStaging(context);
  const { v2, client } = target;
  const samples = samplesOf(target);
  const arm = async (...rules: object[]) => {
    v2.onCleanUp(() => v2.send('DELETE', '/sandbox/faults'));
    const response = await v2.send('PUT', '/sandbox/faults', JSON.stringify(rules));
    expectStatus(response, 200);
    return jsonOf(response) as Fields[];
  };
  const settle = (work: Promise<unknown>) =>
    work.then(
      () => {},
      () => {},
    );

  check(
    'done-or-not',
    'each fault has its documented effect on a change, exactly once, in both versions',
    async () => {
      for (const { isDone, ...rule } of faults) {
        const petId = await v2.newPet(5);
        const { id } = await v2.place(petId);
        const changes: (Call & { operation: string })[] = [
          { operation: 'v1.cancelOrder', method: 'DELETE', path: `/store/orders/${id}` },
          {
            operation: 'v2.placeOrder',
            method: 'POST',
            prefix: client.v2,
            path: '/store/orders',
            body: `{"petId":${petId},"quantity":2}`,
            headers: { ...json, 'Idempotency-Key': randomUUID() },
          },
        ];
        for (const { operation, ...call } of changes) {
          const before = await v2.stockOf(petId);
          const revision = await revisionOf(v2);
          await arm({ ...rule, operation });
          await settle(client.send({ ...call, isUnrecorded: true }));
          const units = operation === 'v1.cancelOrder' ? 1n : -2n;
          const stock = isDone ? before + units : before;
          equal(await v2.stockOf(petId), stock, 'the stock', `${operation} with ${rule.fault}`);
          equal(
            (await revisionOf(v2)) > revision,
            isDone,
            'whether the change was made:',
            `${operation} with ${rule.fault}`,
          );
          const [armed] = jsonOf(await v2.get('/sandbox/faults')) as Fields[];
          equal(armed?.fired, 1n, 'how often it has fired', `${operation} with ${rule.fault}`);
          const again = await client.send({ ...call, isUnrecorded: true });
          const isReplay = again.headers['idempotent-replayed'] === 'true';
          if (operation === 'v2.placeOrder')
            equal([again.status, isReplay], [201, isDone], 'the retry', again.request);
          else expectStatus(again, isDone ? 404 : 204);
        }
      }
    },
  );
  check(
    'sandbox',
    '“They never affect the sandbox operations themselves”: each responds as without faults',
    async () => {
      const named = (await operationsOf(target)).filter(({ path }) => path.startsWith('/sandbox'));
      for (const rule of [{ fault: 'status', parameters: { code: 503 } }, { fault: 'drop' }]) {
        for (const operation of named) {
          const content = at(operation.definition, 'requestBody', 'content', 'application/json');
          const [example] = Object.values(at(content, 'examples')) as Json[];
          const body = example && { body: JSON.stringify(example.value), headers: json };
          const send = async () => {
            const response = await client.send({ ...callOf(operation, operation.path), ...body });
            const [, key] = /"key":"(\w+)"/.exec(response.text) ?? [];
            const close = {
              method: 'DELETE',
              prefix: client.v2,
              path: '/sandbox/stores/current',
              key: key ?? '',
            };
            if (key) expectStatus(await client.send(close), 204);
            return response;
          };
          const { status } = await send();
          await arm({ operation: '*', times: null, ...rule });
          expectStatus(await send(), status);
        }
      }
      expectStatus(await v2.send('DELETE', '/sandbox/faults'), 204);
    },
  );
  check(
    'rules',
    'rules are listed as they were armed; the first that fires wins; a reset disarms them',
    async () => {
      const rule = (code: number, more: object = {}) => ({
        operation: 'v1.listPets',
        fault: 'status',
        parameters: { code },
        ...more,
      });
      const rules = [
        rule(503),
        rule(429, { times: 2 }),
        { operation: '*', fault: 'delay', parameters: { ms: 1 } },
      ];
      const armed = await arm(...rules);
      const expected = rules.map((one) => ({ times: 1, probability: 1, seed: 1, ...one, fired: 0 }));
      const withNumbers = (list: Fields[]) =>
        list.map((one) =>
          JSON.parse(JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? Number(value) : value))),
        );
      equal(withNumbers(armed), expected, 'the armed rules', 'PUT /sandbox/faults');
      equal(jsonOf(await v2.get('/sandbox/faults')), armed, 'the armed rules', 'GET /sandbox/faults');
      for (const status of [503, 429, 429, 200])
        expectStatus(await client.send({ path: '/pets', isUnrecorded: true }), status);
      const fired = (jsonOf(await v2.get('/sandbox/faults')) as Fields[]).map((one) => one.fired);
      equal(fired, [1n, 2n, 1n], 'how often each has fired', 'GET /sandbox/faults');
      const retry = { code: 503, retryAfter: 0 };
      await arm(
        rule(503, { probability: 0, times: null }),
        rule(503, { parameters: retry, seed: -5, times: 1_000_000 }),
      );
      const second = await client.send({ path: '/pets', isUnrecorded: true });
      equal([second.status, headerOf(second, 'Retry-After')], [503, '0'], 'the second rule', second.request);
      await arm({ ...rule(503), times: null });
      expectStatus(await v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}'), 200);
      equal(
        jsonOf(await v2.get('/sandbox/faults')),
        [],
        'the armed rules after a reset',
        'GET /sandbox/faults',
      );
      expectStatus(await client.send({ path: '/pets' }), 200);
    },
  );
  check(
    'applied',
    '`Preference-Applied` lists what was applied, without parameters; `Vary` names `Prefer`',
    async () => {
      for (const prefix of [client.base.pathname, client.v2])
        for (const [prefer, expected] of preferences) {
          const response = await client.send({
            prefix,
            path: '/pets',
            headers: { Prefer: prefer },
            isUnrecorded: true,
          });
          if (expected === undefined) expectNoHeader(response, 'Preference-Applied');
          else {
            equal(headerOf(response, 'Preference-Applied'), expected, 'Preference-Applied', response.request);
            ensure(
              membersOf(response, 'Vary').includes('prefer'),
              'Vary: Prefer',
              response.headers.vary,
              response.request,
            );
          }
          expectStatus(response, /code=503/.test(expected ?? '') ? 503 : 200);
          if (expected === 'code=503')
            equal(
              headerOf(response, 'Retry-After'),
              prefer.includes('7') ? '7' : '1',
              'Retry-After',
              response.request,
            );
        }
    },
  );
  check(
    'codes',
    '`Prefer: code=…` returns that documented error of any operation, with its headers; nothing changes',
    async () => {
      const ids = { ...(await samples()), deliveryId: '1' };
      const revision = await revisionOf(v2);
      const tried = new Map<number, number>();
      for (const operation of await operationsOf(target)) {
        const path = samplePath(operation, ids);
        if (path === undefined || path.startsWith('/sandbox') || isStream(operation)) continue;
        for (const status of Object.keys((operation.definition.responses ?? {}) as Json).map(Number)) {
          const times = tried.get(status) ?? 0;
          const isTriedEnough =
            operation.prefix === client.v2 &&
            times >= MAX_OPERATIONS &&
            ![404, 409, 410, 422].includes(status);
          if (status < 400 || status === 408 || isTriedEnough) continue;
          tried.set(status, times + 1);
          const response = await client.send({
            ...callOf(operation, path),
            isUnrecorded: true,
            headers: { Prefer: `code=${status}`, ...json },
          });
          const codes = Object.keys(
            at(documentedResponse(operation, status) ?? {}, 'content', 'application/json', 'examples'),
          );
          const code = status === 401 ? 'invalid_api_key' : codes[0];
          expectError(response, status, code);
          if (status === 429) equal(headerOf(response, 'Retry-After'), '1', 'Retry-After', response.request);
          equal(
            headerOf(response, 'Preference-Applied'),
            `code=${status}`,
            'Preference-Applied',
            response.request,
          );
          const documented = (documentedResponse(operation, status)?.headers ?? {}) as Json;
          for (const name of Object.keys(documented))
            if (!/^(RateLimit|Idempotent|Preference|Link)/.test(name)) headerOf(response, name);
        }
      }
      equal(await revisionOf(v2), revision, 'the revision');
    },
  );
  check(
    'now.every-change',
    '`Prefer: now` sets the time of any change, and time never goes back',
    async () => {
      const day = (count: number) => new Date(Date.UTC(2031, 0, 1 + count)).toISOString();
      const nowOn = (count: number) => ({ Prefer: `now="${day(count)}"` });
      const petId = await v2.newPet(9);
      const placeOn = async (count: number) => {
        const response = await v2.tryToPlace(`{"petId":${petId},"quantity":1}`, nowOn(count));
        return objectOf(response, 201);
      };
      const first = await placeOn(1);
      const expectOn = (time: unknown, count: number) =>
        ensure(String(time).startsWith(day(count).slice(0, 10)), `a time on ${day(count)}`, time);
      expectOn(first.placedAt, 1);
      expectOn(first.shipDate, 4);
      const path = `/store/orders/${first.id}`;
      const shipped = objectOf(await v2.send('POST', `${path}/ship`, undefined, nowOn(2)));
      expectOn(shipped.shipDate, 2);
      const delivered = objectOf(await v2.send('POST', `${path}/deliver`));
      ensure(
        String(delivered.updatedAt) >= String(shipped.updatedAt),
        `a time not before ${shipped.updatedAt}`,
        delivered.updatedAt,
      );
      const second = await placeOn(3);
      expectStatus(
        await client.send({ method: 'DELETE', path: `/store/orders/${second.id}`, headers: nowOn(5) }),
        204,
      );
      const { data } = objectOf(await v2.get(`/store/orders/${second.id}/history`)) as { data: Fields[] };
      for (const [index, count] of [3, 5].entries()) expectOn(data[index]?.at, count);
      // Without `now`, as early as possible.
      for (const [verb, call] of [
        ['POST', { prefix: client.v2, end: '/ship' }],
        ['DELETE', { prefix: client.v2, end: '' }],
        ['DELETE', { end: '' }],
      ] as const) {
        const { id, placedAt } = await placeOn(3);
        const { end, ...version } = call;
        await client.send({ method: verb, path: `/store/orders/${id}${end}`, ...version });
        const { shipDate, updatedAt } = await v2.order(id as bigint);
        for (const time of verb === 'POST' ? [shipDate, updatedAt] : [updatedAt])
          ensure(
            String(time) >= String(placedAt),
            `a time not before ${placedAt}`,
            time,
            `${verb} …/${id}${end}`,
          );
      }
    },
  );
}
