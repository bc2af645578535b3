import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoBody,
  expectStatus,
  headerOf,
  jsonOf,
  summary,
} from '../../expect.ts';
import type { Call } from '../../http.ts';
import { idsOf, orderIn } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';

/** Faults after which no complete response arrives. */
const breakingFaults = ['drop', 'reset', 'truncate', 'garbage', 'lost-answer'];

/** Longer than the connection stays open after a response with the fault `stale-connection`. */
const MAX_OPEN_MS = 4_000;

export function faultChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'faults', 'failures on demand', 'put /sandbox/faults');
  const { v2, client } = context.staging ?? context;
  const prefer = (preference: string, call: Call = { path: '/pets' }) =>
    client.send({ ...call, headers: { ...call.headers, Prefer: preference }, isUnrecorded: true });
  const disarmAtEnd = once(async () => v2.onCleanUp(() => v2.send('DELETE', '/sandbox/faults')));
  const arm = async (rules: string) => {
    await disarmAtEnd();
    return v2.send('PUT', '/sandbox/faults', rules);
  };
  const armedFaults = async () => jsonOf(await v2.get('/sandbox/faults')) as Record<string, unknown>[];
  /** Whether a complete response arrives. */
  const hasResponse = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );

  check(
    'code',
    '`Prefer: code=409` returns the documented Error and is named in `Preference-Applied`; nothing changes',
    async () => {
      const { id } = await v2.place(await v2.newPet(1));
      const cancel = { method: 'DELETE', path: `/store/orders/${id}` };
      const response = await prefer('code=409', cancel);
      expectError(response, 409, 'order_already_shipped');
      equal(headerOf(response, 'Preference-Applied'), 'code=409', 'Preference-Applied', response.request);
      equal((await v2.order(id)).status, 'pending', 'the status of the order');
      expectError(await prefer('code=401', cancel), 401, 'invalid_api_key');
    },
  );
  check(
    'retry-after',
    'fault `status`: `retryAfter` sets the delay, `retryAfterForm` its form, seconds or an HTTP date',
    async () => {
      for (const [form, code] of [
        ['seconds', 503],
        ['date', 503],
        ['seconds', 404],
        ['date', 401],
      ]) {
        const parameters = `{"code":${code},"retryAfter":120,"retryAfterForm":"${form}"}`;
        expectStatus(
          await arm(`[{"operation":"v1.getPet","fault":"status","parameters":${parameters}}]`),
          200,
        );
        const response = await client.send({ path: '/pets/1', isUnrecorded: true });
        expectError(response, Number(code));
        const value = headerOf(response, 'Retry-After');
        const wait = form === 'seconds' ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
        const isInForm =
          form === 'seconds' ? value === '120' : /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(value);
        ensure(isInForm && wait > 60 && wait <= 121, `two minutes, as ${form}`, value, response.request);
      }
    },
  );
  check('key-first', 'the key is checked first, before any preference', async () => {
    expectError(await prefer('code=409', { path: '/pets', key: null }), 401, 'missing_api_key');
  });
  check(
    'strict',
    'an unknown preference is ignored; with `handling=strict` it is 400 `invalid_preference`',
    async () => {
      for (const preference of ['colour=red', 'code=418', 'fault=none', 'respond-async']) {
        expectStatus(await prefer(preference), 200);
        expectError(await prefer(`${preference}, handling=strict`), 400, 'invalid_preference');
      }
    },
  );
  for (const fault of breakingFaults) {
    check(`fault.${fault}`, `\`Prefer: fault=${fault}\` breaks this response only`, async () => {
      ensure(
        !(await hasResponse(prefer(`fault=${fault}`))),
        'no complete response',
        `a complete response despite ${fault}`,
      );
      expectStatus(await client.send({ path: '/pets' }), 200);
    });
  }
  check(
    'fault.stale-connection',
    '`Prefer: fault=stale-connection` returns the correct response with keep-alive, then closes the connection',
    async () => {
      const headers = { Prefer: 'fault=stale-connection', Connection: 'keep-alive' };
      const start = performance.now();
      const response = await client.sendBytes(
        client.requestText({ path: '/pets', headers }),
        'GET /pets with Prefer: fault=stale-connection',
      );
      const tookMs = performance.now() - start;
      expectStatus(response, 200);
      equal(jsonOf(response), jsonOf(await client.send({ path: '/pets' })), 'the pets');
      const value = response.headers.connection ?? 'keep-alive';
      equal(value.toLowerCase(), 'keep-alive', 'Connection', response.request);
      ensure(
        tookMs < MAX_OPEN_MS,
        'the end of the connection',
        `a connection that is open after ${tookMs} ms`,
      );
    },
  );
  check(
    'fault.delay',
    '`Prefer: fault=delay; ms=300` returns the correct response, 300 ms later',
    async () => {
      const start = performance.now();
      equal(
        jsonOf(await prefer('fault=delay; ms=300')),
        jsonOf(await client.send({ path: '/pets' })),
        'the pets',
      );
      // Timers may fire a little early.
      ensure(performance.now() - start >= 295, 'at least 300 ms', `${performance.now() - start} ms`);
    },
  );
  check(
    'fault.slow',
    '`Prefer: fault=slow; ms=300` returns the correct response, spread over 300 ms',
    async () => {
      const start = performance.now();
      equal(
        jsonOf(await prefer('fault=slow; ms=300')),
        jsonOf(await client.send({ path: '/pets' })),
        'the pets',
      );
      ensure(performance.now() - start >= 250, 'about 300 ms', `${performance.now() - start} ms`);
    },
  );
  check(
    'lost-answer',
    '`lost-answer`: the change is made; the same `Idempotency-Key` then gets its response',
    async () => {
      const petId = await v2.newPet(5);
      expectStatus(await arm('[{"operation":"v2.placeOrder","fault":"lost-answer"}]'), 200);
      const body = `{"petId":${petId},"quantity":1}`;
      const headers = { 'Idempotency-Key': `lost-${petId}-${Date.now()}` };
      ensure(!(await hasResponse(v2.tryToPlace(body, headers))), 'no response', 'a response');
      const again = await v2.tryToPlace(body, headers);
      equal(headerOf(again, 'Idempotent-Replayed'), 'true', 'Idempotent-Replayed', again.request);
      const { items } = await v2.walk(`/store/orders?petId=${petId}`);
      equal(idsOf(items), [orderIn(again, 201).id], 'the orders');
    },
  );
  check('dropped', '`drop`: nothing changes', async () => {
    const petId = await v2.newPet(5);
    expectStatus(await arm('[{"operation":"v2.placeOrder","fault":"drop"}]'), 200);
    ensure(
      !(await hasResponse(v2.tryToPlace(`{"petId":${petId},"quantity":1}`))),
      'no response',
      'a response',
    );
    equal(await v2.stockOf(petId), 5n, 'the stock');
  });
  check(
    'now',
    '`Prefer: now` sets the times that are written, and is named in `Preference-Applied`',
    async () => {
      const now = new Date(Date.now() + 400 * 86_400_000).toISOString();
      const headers = { Prefer: `now="${now}"` };
      const placed = await v2.tryToPlace(`{"petId":${await v2.newPet(1)},"quantity":1}`, headers);
      const order = orderIn(placed, 201);
      ensure(headerOf(placed, 'Preference-Applied').includes('now='), 'now', placed.headers);
      const isAtFakeTime = (time: unknown) => Math.abs(Date.parse(String(time)) - Date.parse(now)) < 60_000;
      ensure(isAtFakeTime(order.placedAt), `placed at ${now}`, order.placedAt, placed.request);
      const shipped = orderIn(await v2.send('POST', `/store/orders/${order.id}/ship`, undefined, headers));
      ensure(isAtFakeTime(shipped.shipDate), `shipped at ${now}`, shipped.shipDate);
    },
  );
  check(
    'times',
    'an armed fault fires `times` times, for its operation only; `fired` counts them',
    async () => {
      const rule = '{"operation":"v1.listPets","fault":"status","parameters":{"code":503},"times":2}';
      const response = await arm(`[${rule}]`);
      expectStatus(response, 200);
      expectStatus(await client.send({ path: '/store/orders' }), 200);
      for (const status of [503, 503, 200]) {
        const listed = await client.send({ path: '/pets', isUnrecorded: true });
        ensure(listed.status === status, `status ${status}`, summary(listed), listed.request);
        if (status === 503) equal(headerOf(listed, 'Retry-After'), '1', 'Retry-After', listed.request);
      }
      const [fault] = await armedFaults();
      equal([fault?.operation, fault?.times, fault?.fired], ['v1.listPets', 2n, 2n], 'the armed fault');
    },
  );
  check('unlimited', 'with `times` null, a fault fires without limit; `fired` counts them', async () => {
    const rule = '{"operation":"v1.listPets","fault":"status","parameters":{"code":503},"times":null}';
    expectStatus(await arm(`[${rule}]`), 200);
    for (let count = 0; count < 5; count += 1)
      expectStatus(await client.send({ path: '/pets', isUnrecorded: true }), 503);
    const [fault] = await armedFaults();
    equal([fault?.times, fault?.fired], [null, 5n], '`times` and `fired`', 'GET /sandbox/faults');
    expectStatus(await v2.send('DELETE', '/sandbox/faults'), 204);
  });
  check('probability', 'with `probability`, the same `seed` fails the same requests', async () => {
    const rule =
      '{"operation":"v1.listPets","fault":"status","parameters":{"code":503},"times":null,"probability":0.5,"seed":3}';
    const statusesOfRun = async () => {
      expectStatus(await arm(`[${rule}]`), 200);
      const statuses = [];
      for (let count = 0; count < 12; count += 1)
        statuses.push((await client.send({ path: '/pets', isUnrecorded: true })).status);
      return statuses;
    };
    const first = await statusesOfRun();
    equal(new Set(first), new Set([200, 503]), 'the statuses');
    equal(await statusesOfRun(), first, 'the same statuses in a second run');
  });
  check('disarm', '`DELETE` disarms all: 204; an invalid rule is 400 `invalid_body`', async () => {
    expectStatus(await arm('[{"operation":"*","fault":"drop","times":null}]'), 200);
    const response = await v2.send('DELETE', '/sandbox/faults');
    expectStatus(response, 204);
    expectNoBody(response);
    equal(await armedFaults(), [], 'the armed faults');
    expectStatus(await client.send({ path: '/pets' }), 200);
    const rule = '{"operation":"v1.listPets","fault":"drop"}';
    const many = `[${Array.from({ length: 21 }, () => rule).join()}]`;
    for (const bad of ['{}', '[{"fault":"drop"}]', '[{"operation":"v1.nothing","fault":"drop"}]', many]) {
      expectError(await arm(bad), 400, 'invalid_body');
    }
    equal(await armedFaults(), [], 'the armed faults');
  });
}
