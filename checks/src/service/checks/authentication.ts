import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { operations } from '../context.ts';
import { ensure, equal, expectError, expectSameBody, expectStatus, headerOf } from '../expect.ts';
import type { Response } from '../http.ts';
import { alteredKey } from '../invalid-keys.ts';
import { missingId } from '../orders.ts';

const plainChallenge = 'Bearer realm="petstore"';

/** With a rejected key, the challenge in `WWW-Authenticate` names the error; without a key, there is none to name. */
function expectChallenge(response: Response, code: 'missing_api_key' | 'invalid_api_key'): void {
  expectError(response, 401, code);
  const challenge = headerOf(response, 'WWW-Authenticate');
  if (code === 'missing_api_key') equal(challenge, plainChallenge, 'WWW-Authenticate', response.request);
  else {
    const hasError =
      challenge.startsWith(`${plainChallenge},`) && challenge.includes('error="invalid_token"');
    ensure(hasError, `${plainChallenge}, error="invalid_token"`, challenge, response.request);
  }
}

export function authenticationChecks(suite: Suite, { client }: Context): void {
  const { documented, check } = suite.section('v1.authentication', 'Authentication');
  const list = '/store/orders';
  const withAuthorization = (value: string) =>
    client.send({ path: list, key: null, headers: { Authorization: value } });

  for (const { name, method, path } of operations) {
    documented(
      `requires-key.${name}`,
      `“Every operation requires HTTP bearer authentication”: \`${name}\` rejects an invalid key`,
      async () => {
        expectError(await client.send({ method, path, key: alteredKey(client.key) }), 401, 'invalid_api_key');
      },
    );
  }
  documented(
    'bearer-header',
    '“The client sends its API key as a bearer token in the `Authorization` header”: it is accepted',
    async () => {
      expectStatus(await client.send({ path: list }), 200);
    },
  );
  check(
    'scheme-case',
    '“… as a bearer token”: the scheme is case-insensitive, `bearer` like `Bearer`',
    async () => {
      for (const scheme of ['bearer', 'BEARER']) {
        expectStatus(await withAuthorization(`${scheme} ${client.key}`), 200);
      }
    },
  );
  check('other-scheme', '“… as a bearer token”: another scheme, or the key alone, is rejected', async () => {
    const basic = Buffer.from(`${client.key}:`).toString('base64');
    for (const value of [`Basic ${basic}`, `Token ${client.key}`, `Digest ${client.key}`, client.key]) {
      expectError(await withAuthorization(value), 401);
    }
  });
  check(
    'other-place',
    '“… in the `Authorization` header”: a key in another header, the query or a cookie is ignored',
    async () => {
      const otherHeaders = { 'X-API-Key': client.key, 'API-Key': client.key, Cookie: `key=${client.key}` };
      for (const [name, value] of Object.entries(otherHeaders)) {
        const response = await client.send({ path: list, key: null, headers: { [name]: value } });
        expectChallenge(response, 'missing_api_key');
      }
      const query = `api_key=${client.key}&access_token=${client.key}&key=${client.key}`;
      expectChallenge(await client.send({ path: `${list}?${query}`, key: null }), 'missing_api_key');
    },
  );
  check(
    'missing-key',
    '“A request with a missing … key gets status 401”: `missing_api_key`, and a plain `WWW-Authenticate`',
    async () => {
      expectChallenge(await client.send({ path: list, key: null }), 'missing_api_key');
    },
  );
  check(
    'invalid-key',
    '“… or invalid key gets status 401”: `invalid_api_key`, and `error="invalid_token"` in `WWW-Authenticate`',
    async () => {
      expectChallenge(await client.send({ path: list, key: alteredKey(client.key) }), 'invalid_api_key');
    },
  );
  check(
    'placeholder',
    '“`Authorization: Bearer <API_KEY>`”: a 401 without a key shows how to send one',
    async () => {
      const { text, request } = await client.send({ path: list, key: null });
      ensure(
        text.includes('Authorization: Bearer <API_KEY>'),
        'Authorization: Bearer <API_KEY>',
        text,
        request,
      );
    },
  );
  check('empty-token', '`Authorization: Bearer` with nothing after it is 401', async () => {
    for (const value of ['Bearer', 'Bearer ', 'Bearer    ']) expectError(await withAuthorization(value), 401);
  });
  check('changed-key', 'a key with one character changed, anywhere, is 401', async () => {
    // `pst_live_` has the positions 0 to 8, the 32 characters after it 9 to 40, the last six 41 to 46.
    for (const position of [0, 4, 9, 20, 40, 41, 46]) {
      const other = client.key[position] === 'x' ? 'y' : 'x';
      const key = client.key.slice(0, position) + other + client.key.slice(position + 1);
      expectChallenge(await client.send({ path: list, key }), 'invalid_api_key');
    }
  });
  check(
    'bent-key',
    'a key that is truncated, doubled, in another case or followed by text is 401',
    async () => {
      const { key } = client;
      const variants = [
        key.slice(0, -1),
        key.slice(9),
        key + key,
        key.toUpperCase(),
        `${key}x`,
        `${key},${key}`,
      ];
      for (const variant of [...variants, `${key} ${key}`, `"${key}"`].filter((one) => one !== key)) {
        expectError(await client.send({ path: list, key: variant }), 401);
      }
    },
  );
  check('swapped-prefix', 'the same key with the prefix of the other deployment is 401', async () => {
    const swap = client.key.startsWith('pst_live_') ? 'pst_test_' : 'pst_live_';
    expectChallenge(await client.send({ path: list, key: swap + client.key.slice(9) }), 'invalid_api_key');
  });
  check(
    'junk-key',
    'arbitrary text as a key is 401: quotes, SQL, templates, long text, bytes outside ASCII',
    async () => {
      const junk = [
        `' OR '1'='1`,
        'null',
        'undefined',
        '{}',
        '../../etc/passwd',
        '%00',
        '*',
        'pst_live_',
        '-',
      ];
      for (const key of [
        ...junk,
        'x'.repeat(4000),
        `pst_live_${'0'.repeat(38)}`,
        `pst_live_${'~'.repeat(38)}`,
      ]) {
        expectError(await client.send({ path: list, key }), 401);
      }
      const request = client.requestText({ path: list, key: 'pst_live_\xe9\xff\x80' });
      expectError(await client.sendBytes(request, `GET ${list} with bytes outside ASCII for a key`), 401);
    },
  );
  check(
    'refusals-alike',
    'every rejected key gets the same response: it does not reveal how wrong the key is',
    async () => {
      const rejection = await client.send({ path: list, key: alteredKey(client.key) });
      expectSameBody(await client.send({ path: list, key: 'junk' }), rejection);
      expectSameBody(
        await client.send({ path: `/store/orders/${missingId}`, method: 'DELETE', key: 'junk' }),
        rejection,
      );
    },
  );
  check('key-format', '“Key format”: `pst_live_` or `pst_test_`, then 32 and 6 base62 characters', () => {
    const isInFormat = /^pst_(live|test)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/.test(client.key);
    // Staging may have a static key of any form, chosen by its operator.
    if (!isInFormat && !client.key.startsWith('pst_live_')) throw new Inconclusive('the key is static');
    ensure(isInFormat, 'a key of this format', 'a key of a different format');
  });
}
