import type { Random } from '../random.ts';
import type { Draft } from './draft.ts';
import type { Stage } from './stage.ts';
import { hostileValue, integers, Raw, texts, toJson } from './values.ts';

/** Mutates a request into a nearly valid or hostile one. False if the mutation does not apply. */
export type RequestMutation = (random: Random, draft: Draft, stage: Stage) => boolean;

const ids = [
  ...integers,
  'abc',
  '1.0',
  '+1',
  '01',
  '1e0',
  '0x1',
  '%202',
  '2%00',
  '%D9%A2',
  '%EF%BC%92',
  '%',
  '%zz',
  '%ff',
  '%c0%b2',
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '1;a=b',
  '*',
  '{orderId}',
  '%2532',
  'a'.repeat(300),
  '9'.repeat(3000),
  '🐶',
  '',
];
const contentTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;charset="utf-8"',
  'APPLICATION/JSON',
  'multipart/form-data; boundary=x',
  '',
  ';',
  'application/jsonp',
  'application/merge-patch+json',
  'a'.repeat(2000),
  'application/json, text/plain',
];
const oddHeaders: ReadonlyArray<readonly [string, string]> = [
  ['Accept', 'text/html'],
  ['Accept', ''],
  ['Accept-Encoding', 'gzip;q=0, br;q=x, *;q=2'],
  ['Accept-Encoding', 'identity;q=0'],
  ['Accept-Encoding', `${'gzip, '.repeat(1000)}gzip`],
  ['Content-Encoding', 'gzip'],
  ['If-None-Match', ','.repeat(3000)],
  ['If-None-Match', '\x80"'],
  ['If-Match', '*'],
  ['Range', 'bytes=0-0,1-1,2-'],
  ['Cookie', `a=${'b'.repeat(4000)}`],
  ['Cookie', ';;;=;='.repeat(500)],
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['X-Forwarded-For', '1.2.3.4, 5.6.7.8'],
  ['X-Forwarded-Proto', 'https'],
  ['Via', '1.1 a'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Expect', '100-continue'],
  ['Expect', 'nothing'],
  ['Upgrade', 'h2c'],
  ['TE', 'trailers'],
  ['Trailer', 'X'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'k'.repeat(256)],
  ['Idempotency-Key', '\xff\xfe'],
  ['X-Many', 'y'.repeat(20_000)],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Forwarded', 'for=1;host=x'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Access-Control-Request-Method', 'DELETE'],
];
const invalidQuantities = [
  '0',
  '-1',
  '1001',
  '1.5',
  '1e400',
  '9223372036854775808',
  'null',
  '"3"',
  'true',
  '[]',
].map((text) => new Raw(text));
const damageKey = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

function replaceHeader(draft: Draft, name: string, value: string | undefined): void {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) draft.headers.push([name, value]);
}

function fieldsOf({ body }: Draft): Record<string, unknown> | undefined {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject && !Buffer.isBuffer(body) && !(body instanceof Raw)
    ? (body as Record<string, unknown>)
    : undefined;
}

function invalidateKey(draft: Draft, authorization: string | undefined): boolean {
  if (draft.operation.credential !== 'key') return false;
  // Replaced, not added: with two keys, the valid one might be used.
  replaceHeader(draft, 'Authorization', authorization);
  draft.isAuthenticated = false;
  draft.expects = 'rejected';
  return true;
}

const takesBody = ({ operation }: Draft) => Object.keys(operation.bodies).length > 0;
const setInvalidBody = (draft: Draft, body: unknown) => {
  if (!takesBody(draft)) return false;
  draft.body = body;
  draft.expects = 'rejected';
  return true;
};

export const mutations: Readonly<Record<string, RequestMutation>> = {
  'another id': (random, draft) => {
    const at = draft.operation.template.indexOf('{');
    if (at === -1) return false;
    const [before, after] = draft.operation.template.split(/\{\w+\}/);
    draft.path = draft.operation.prefix + before + escapeTarget(random.pick(ids)) + after;
    draft.expects = 'either';
    return true;
  },
  'a value in the query': (random, draft) => {
    const pair = random.pick(draft.query.length > 0 ? draft.query : [undefined]);
    if (!pair) return false;
    pair[1] = escapeQuery(random, random.pick([...integers, ...texts]));
    draft.expects = 'either';
    return true;
  },
  'an unknown parameter': (random, draft) => {
    draft.query.push([
      escapeQuery(
        random,
        random.pick(['page', 'offset', '__proto__', 'constructor', 'Limit', 'x', '', ...texts]),
      ),
      'x',
    ]);
    draft.expects = 'either';
    return true;
  },
  'a repeated parameter': (random, draft) => {
    const pair = random.pick(draft.query.length > 0 ? draft.query : [undefined]);
    if (!pair) return false;
    for (let i = random.pick([1, 2, 500]); i > 0; i--) draft.query.push([...pair]);
    draft.expects = 'either';
    return true;
  },
  'an arbitrary cursor': (random, draft, stage) => {
    const cursors = stage.stores.flatMap((store) => [...store.cursors.values()]);
    if (cursors.length === 0 || !draft.operation.parameters.some(({ name }) => name === 'cursor'))
      return false;
    const cursor = random.pick(cursors);
    const cut = random.below(cursor.length);
    draft.query.push([
      'cursor',
      random.pick([
        cursor,
        cursor.slice(0, cut),
        `${cursor.slice(0, cut)}A${cursor.slice(cut + 1)}`,
        `${cursor}=`,
      ]),
    ]);
    draft.expects = 'either';
    return true;
  },
  'a hostile field': (random, draft) => {
    const fields = fieldsOf(draft);
    if (!fields || Object.keys(fields).length === 0) return false;
    const name = random.pick(Object.keys(fields));
    // An accepted quantity would carry the store's mark, so only invalid values are used.
    fields[name] = name === 'quantity' ? random.pick(invalidQuantities) : hostileValue(random);
    draft.expects = 'either';
    return true;
  },
  'a field of another type': (random, draft) => {
    const fields = fieldsOf(draft);
    const [name] = Object.keys(fields ?? {});
    if (!fields || name === undefined) return false;
    fields[name] = random.pick([null, true, [], {}, [fields[name]], { a: fields[name] }]);
    draft.expects = 'rejected';
    return true;
  },
  'a missing field': (random, draft) => {
    const [schema] = Object.values(draft.operation.bodies);
    const fields = fieldsOf(draft);
    const required = schema?.required ?? [];
    if (!fields || required.length === 0) return false;
    delete fields[random.pick(required)];
    draft.expects = 'rejected';
    return true;
  },
  'an unknown field': (random, draft) => {
    const fields = fieldsOf(draft);
    if (!fields) return false;
    fields[
      random.pick([
        'id',
        'status',
        'placedAt',
        'updatedAt',
        'complete',
        'storeId',
        'store_id',
        'owner',
        'revision',
        'isAdmin',
      ])
    ] = 1;
    draft.expects = 'rejected';
    return true;
  },
  'a body that is not JSON': (random, draft) =>
    setInvalidBody(
      draft,
      Buffer.from(
        random.pick([
          '',
          '{',
          '}',
          '{"a":}',
          "{'a':1}",
          'NaN',
          '{"a":1,}',
          '[1,]',
          '01',
          '+1',
          '"',
          '{"a":1}x',
          ':'.repeat(60_000),
          '"'.repeat(60_001),
          '\\'.repeat(60_000),
        ]),
      ),
    ),
  'a body of another shape': (random, draft) => setInvalidBody(draft, hostileValue(random)),
  'a body that is not text': (random, draft) =>
    setInvalidBody(
      draft,
      Buffer.from(random.pick(['ff', 'c0af', 'eda080', 'fffe7b00', 'efbbbf', '7b22ff22']), 'hex'),
    ),
  'a field twice': (_, draft) => {
    const fields = fieldsOf(draft);
    const text = fields && Object.keys(fields).length > 0 ? toJson(fields) : undefined;
    return text !== undefined && setInvalidBody(draft, Buffer.from(`${text.slice(0, -1)},${text.slice(1)}`));
  },
  'a huge body': (random, draft) => {
    const size = random.pick([60_000, 65_536, 65_537, 200_000]);
    const unit = random.pick(['a', ' ', '[', '{"a":', '"b":1,', ':', 'ﷺ', '\\u0000', '1', '1.', '{}']);
    return setInvalidBody(
      draft,
      Buffer.from(
        `{"${random.pick(['name', 'petId', 'password', 'x'])}":"${unit.repeat(Math.ceil(size / unit.length))}`,
      ),
    );
  },
  'many fields': (random, draft) =>
    setInvalidBody(
      draft,
      Object.fromEntries(Array.from({ length: random.pick([100, 4000]) }, (_, i) => [`f${i}`, i])),
    ),
  'another content type': (random, draft) => {
    if (!takesBody(draft)) return false;
    replaceHeader(draft, 'Content-Type', random.pick([undefined, ...contentTypes]));
    draft.expects = 'either';
    return true;
  },
  'an unexpected body': (random, draft) => {
    if (takesBody(draft) || draft.operation.credential !== 'key') return false;
    draft.body = Buffer.from(random.pick(['{}', 'x'.repeat(1000), '{"a":', '\0']));
    if (random.chance(0.5)) replaceHeader(draft, 'Content-Type', random.pick(contentTypes));
    return true;
  },
  'an odd header': (random, draft) => {
    const [name, value] = random.pick(oddHeaders);
    draft.headers.push([name, value]);
    draft.expects = 'either';
    return true;
  },
  'many headers': (random, draft) => {
    for (let i = random.pick([10, 90, 500, 1500]); i > 0; i--) draft.headers.push([`X-H${i}`, 'v']);
    draft.expects = 'either';
    return true;
  },
  'another method': (random, draft) => {
    draft.method = random.pick([
      'GET',
      'PUT',
      'POST',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'LOCK',
      'SEARCH',
    ]);
    draft.expects = 'either';
    return true;
  },
  'no key': (_, draft) => invalidateKey(draft, undefined),
  'a malformed key': (random, draft) =>
    invalidateKey(
      draft,
      random.pick([
        `Bearer ${damageKey(draft.store.key)}`,
        `Bearer ${draft.store.key}x`,
        `Bearer ${draft.store.key.slice(0, -1)}`,
        'Bearer',
        'Bearer ',
        `Basic ${draft.store.key}`,
        draft.store.key,
        `Bearer ${draft.store.key.toUpperCase()}`,
        `Bearer "${draft.store.key}"`,
        `Bearer ${'x'.repeat(9000)}`,
        'Bearer \xff',
      ]),
    ),
  'a key of the other deployment': (_, draft, stage) => {
    const other = stage.stores.find(({ origin }) => origin !== draft.store.origin);
    return other !== undefined && invalidateKey(draft, `Bearer ${other.key}`);
  },
  'two keys': (_, draft, stage) => {
    const other = stage.stores.find(({ key }) => key !== draft.store.key);
    if (!other || !draft.headers.some(([name]) => name === 'Authorization')) return false;
    draft.headers.push(['Authorization', `Bearer ${other.key}`]);
    draft.expects = 'either';
    return true;
  },
  'an unknown path': (random, draft) => {
    draft.path += random.pick([
      '/',
      '//',
      '/x',
      '/..',
      '/%2e%2e/pets',
      ';x',
      '.json',
      '%00',
      '/../../healthz',
      `/${'a'.repeat(9000)}`,
    ]);
    draft.expects = 'either';
    return true;
  },
};

/** Escapes characters that a request target cannot contain, and leaves all others unchanged. */
function escapeTarget(text: string): string {
  return text.replace(/[^\x21-\x7e]|[?#]/gu, (char) =>
    // A lone surrogate cannot be encoded: send the bytes of U+D800.
    char.isWellFormed() ? encodeURIComponent(char) : '%ED%A0%80',
  );
}

/** Escapes a query parameter; one in ten ends with an incomplete escape. */
function escapeQuery(random: Random, text: string): string {
  const escaped = escapeTarget(text).replaceAll('&', '%26');
  return random.chance(0.1) ? `${escaped}%` : escaped;
}
