import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf, jsonOf } from '../../expect.ts';
import type { Call } from '../../http.ts';
import type { Fields } from '../../v2.ts';
import { stagingSection } from './sandbox.ts';

const MAX_RULES = 20;
const MAX_SEED = '9223372036854775807';
const REQUESTS = 16;

const status = (parameters: string) =>
  `{"operation":"v1.listPets","fault":"status","parameters":${parameters}}`;
const drop = (more = '') => `{"operation":"v1.listPets","fault":"drop"${more}}`;

/** Rules that are accepted: the ends of every range. */
const validRules: readonly string[] = [
  ...['"times":1000000', '"times":null', '"probability":0', '"probability":1', '"probability":0.25'].map(
    (field) => drop(`,${field}`),
  ),
  ...[MAX_SEED, '-9223372036854775808', '0'].map((seed) => drop(`,"seed":${seed}`)),
  '{"operation":"v2.streamEvents","fault":"delay","parameters":{"ms":0}}',
  '{"operation":"v2.listRequests","fault":"slow","parameters":{"ms":30000}}',
  status('{"code":503,"retryAfter":0}'),
  status('{"code":401,"retryAfter":3600,"retryAfterForm":"date"}'),
  '{"operation":"*","fault":"status","parameters":{"code":409}}',
];

/** Rules that are 400 `invalid_body`. */
const invalidRules: readonly string[] = [
  // An operation of the sandbox, or none.
  ...[
    'v2.resetSandbox',
    'v2.openStore',
    'v2.armFaults',
    'listPets',
    'v1.placeOrder',
    'v3.listPets',
    '',
    '**',
  ].map((operation) => `{"operation":"${operation}","fault":"drop"}`),
  ...['"Drop"', '"none"', 'null', '1'].map((fault) => `{"operation":"*","fault":${fault}}`),
  // A status that the operation does not document, or none does.
  ...['200', '304', '409', '422', '599', '399', '600', '"503"', '503.5', 'null'].map((code) =>
    status(`{"code":${code}}`),
  ),
  ...['418', '200', '599'].map((code) => `{"operation":"*","fault":"status","parameters":{"code":${code}}}`),
  status('{}'),
  status('{"retryAfter":5}'),
  '{"operation":"v1.listPets","fault":"status"}',
  ...['-1', '3601', '1.5', '"5"', 'null'].map((seconds) => status(`{"code":503,"retryAfter":${seconds}}`)),
  ...['"minutes"', '"Date"', '1'].map((form) => status(`{"code":503,"retryAfterForm":${form}}`)),
  status('{"code":503,"ms":5}'),
  status('{"code":503,"colour":"red"}'),
  ...['delay', 'slow'].flatMap((fault) =>
    ['{}', '{"ms":-1}', '{"ms":30001}', '{"ms":"5"}', '{"ms":5,"code":503}'].map(
      (parameters) => `{"operation":"v1.listPets","fault":"${fault}","parameters":${parameters}}`,
    ),
  ),
  ...['drop', 'reset', 'truncate', 'garbage', 'lost-answer', 'stale-connection'].map(
    (fault) => `{"operation":"v1.listPets","fault":"${fault}","parameters":{"ms":5}}`,
  ),
  ...['"times":0', '"times":1000001', '"times":-1', '"times":"2"', '"times":1.5'].map((field) =>
    drop(`,${field}`),
  ),
  ...['-0.1', '1.1', '"0.5"', 'null'].map((probability) => drop(`,"probability":${probability}`)),
  ...['9223372036854775808', '1.5', 'null'].map((seed) => drop(`,"seed":${seed}`)),
  drop(',"colour":"red"'),
  drop(',"parameters":null'),
  drop(',"fired":1'),
  'null',
];

/** The rules of armed faults: which are accepted, and when each fires. */
export function armedFaultChecks(suite: Suite, context: Context): void {
  const { check } = stagingSection(suite, context, 'faults', 'failures on demand', 'put /sandbox/faults');
  const { v2, client } = context.staging ?? context;
  const disarm = () => v2.send('DELETE', '/sandbox/faults');
  const disarmAtEnd = once(async () => v2.onCleanUp(disarm));
  const arm = async (...rules: string[]) => {
    await disarmAtEnd();
    return v2.send('PUT', '/sandbox/faults', `[${rules}]`);
  };
  const list = async () => jsonOf(await v2.get('/sandbox/faults')) as Fields[];
  const send = (call: Call = { path: '/pets' }) => client.send({ ...call, isUnrecorded: true });
  /** The bytes of the response to a request with a preference. */
  const bytesOf = (preference: string) => {
    const headers = { Prefer: preference };
    const request = client.requestText({ path: '/pets', headers });
    return client.sendBytes(request, `GET /pets with Prefer: ${preference}`, { isUnrecorded: true });
  };

  check(
    'invalid-rules',
    'a rule that the document excludes is 400 `invalid_body`; the armed faults stay as they are',
    async () => {
      expectStatus(await arm(status('{"code":503}').replace(/\}$/, ',"times":null}')), 200);
      expectStatus(await send(), 503);
      const before = await list();
      for (const rule of invalidRules) {
        expectError(await arm(rule), 400, 'invalid_body');
        expectError(await arm(drop(), rule), 400, 'invalid_body');
      }
      expectError(await arm(...Array<string>(MAX_RULES + 1).fill(drop())), 400, 'invalid_body');
      equal(await list(), before, 'the armed faults');
      expectStatus(await send(), 503);
      expectStatus(await disarm(), 204);
    },
  );
  check(
    'valid-rules',
    `the ends of each range are accepted, and ${MAX_RULES} rules; new ones replace “all armed faults”`,
    async () => {
      for (const rule of validRules) {
        const armed = jsonOf(await arm(rule)) as Fields[];
        const given = JSON.parse(rule.replace(/("seed":)(-?\d+)/, '$1"$2"'));
        equal(armed.length, 1, 'the number of armed faults:', rule);
        for (const [name, value] of Object.entries(given)) {
          const shown = JSON.stringify(armed[0]?.[name], (_, one) =>
            typeof one === 'bigint' ? String(one) : one,
          );
          const expected = JSON.stringify(value, (_, one) =>
            Number.isInteger(one) && name !== 'probability' ? String(one) : one,
          );
          equal(shown.replaceAll('"', ''), expected.replaceAll('"', ''), name, rule);
        }
      }
      const many = Array.from({ length: MAX_RULES }, (_, index) =>
        drop(`,"probability":0,"times":${index + 1}`),
      );
      const armed = jsonOf(await arm(...many)) as Fields[];
      equal(
        armed.map(({ times }) => times),
        many.map((_, index) => BigInt(index + 1)),
        '`times` of the rules',
      );
      expectStatus(await send(), 200);
      equal(jsonOf(await arm()), [], 'the rules after arming none');
      equal(await list(), [], 'the rules after arming none');
    },
  );
  check('all-operations', '`*` with `status` “applies to operations that document that status”', async () => {
    const missing = { method: 'DELETE', path: '/store/orders/987654321' };
    expectStatus(await arm('{"operation":"*","fault":"status","parameters":{"code":409},"times":null}'), 200);
    expectStatus(await send(), 200);
    expectError(await send(missing), 409, 'order_already_shipped');
    const ship = { method: 'POST', prefix: client.v2, path: '/store/orders/987654321/ship' };
    expectError(await send(ship), 409, 'invalid_transition');
    expectStatus(await send({ prefix: client.v2, path: '/store/summary' }), 200);
    equal((await list())[0]?.fired, 2n, 'how often it has fired');
    expectStatus(await arm('{"operation":"*","fault":"status","parameters":{"code":503},"times":null}'), 200);
    for (const prefix of [client.base.pathname, client.v2])
      expectError(await send({ prefix, path: '/pets' }), 503);
    // A path or a method that no operation has is not affected.
    for (const path of ['/nothing', '/store']) expectError(await send({ path }), 404, 'not_found');
    expectStatus(await disarm(), 204);
  });
  check(
    'matching',
    '“The n-th matching request fails depending on a hash of seed and n”, “rules after the one that fires are not evaluated”',
    async () => {
      const rule = (seed: number) =>
        status('{"code":503}').replace(/\}$/, `,"times":null,"probability":0.5,"seed":${seed}}`);
      const run = async (other?: Call) => {
        const statuses = [];
        for (let count = 0; count < REQUESTS; count += 1) {
          if (other) expectStatus(await send(other), 200);
          statuses.push((await send()).status);
        }
        return statuses;
      };
      expectStatus(await arm(rule(3)), 200);
      const first = await run();
      const failures = BigInt(first.filter((one) => one === 503).length);
      equal((await list())[0]?.fired, failures, 'how often it has fired');
      expectStatus(await arm(rule(4)), 200);
      ensure((await run()).join() !== first.join(), 'other requests with another seed', 'the same requests');
      expectStatus(await arm(rule(3)), 200);
      equal(await run({ path: '/store/orders' }), first, 'the statuses, with other requests in between:');
      const before = status('{"code":429}').replace(/\}$/, ',"times":5}');
      expectStatus(await arm(before, rule(3)), 200);
      for (let count = 0; count < 5; count += 1) expectStatus(await send(), 429);
      equal(await run(), first, 'the statuses, after another rule fired:');
      expectStatus(await disarm(), 204);
    },
  );
  check(
    'bytes',
    '`drop`, `reset` and `lost-answer` send no byte, `garbage` no HTTP, and `truncate` “the correct status and headers, half of the body”',
    async () => {
      for (const fault of ['drop', 'reset', 'lost-answer']) {
        const { status: code, text, responseHead, request } = await bytesOf(`fault=${fault}`);
        equal([code, responseHead, text], [0, '', ''], 'the response', request);
      }
      const garbage = await bytesOf('fault=garbage');
      const received = garbage.responseHead + garbage.text;
      ensure(
        received !== '' && !received.startsWith('HTTP/'),
        'bytes that are not HTTP',
        received,
        garbage.request,
      );
      const whole = await send();
      const { status: code, headers, body, request } = await bytesOf('fault=truncate');
      if (code === 0 && body.length === 0)
        throw new Inconclusive('nothing of a truncated response arrived: a proxy in between may drop it');
      equal(
        [code, headers['content-type']],
        [200, whole.headers['content-type']],
        'status and type',
        request,
      );
      equal(headers.etag, whole.headers.etag, 'ETag', request);
      const share = body.length / whole.body.length;
      const isStart = whole.body.subarray(0, body.length).equals(body);
      ensure(
        isStart && share > 0.4 && share < 0.6,
        'the first half of the body',
        `${share * 100} %`,
        request,
      );
    },
  );
  check('date', '`Retry-After`: “a date is rounded up to the second”, never down', async () => {
    const parameters = '{"code":503,"retryAfter":2,"retryAfterForm":"date"}';
    expectStatus(await arm(status(parameters).replace(/\}$/, ',"times":null}')), 200);
    const waits = [];
    for (let count = 0; count < 3; count += 1) {
      const response = await send();
      const until = Date.parse(headerOf(response, 'Retry-After'));
      waits.push((until - Date.parse(headerOf(response, 'Date'))) / 1000);
    }
    // `Date` is rounded down, so that only at a whole second both are two seconds apart.
    ensure(
      waits.some((wait) => wait > 2) && waits.every((wait) => wait >= 2 && wait <= 5),
      'more than two seconds',
      waits,
    );
    expectStatus(await disarm(), 204);
  });
}
