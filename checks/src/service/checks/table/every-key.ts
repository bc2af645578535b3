import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { damaged } from '../../damaged.ts';
import { hasNoBody, hasStatus, headerOf, holds, isError, same } from '../../expect.ts';
import type { Call, Response } from '../../http.ts';
import { callOf, isStream, operationsOf, type Samples, samplePath } from './operations.ts';

const CHALLENGE = 'Bearer realm="petstore"';
const OWN_ID = 'acceptance:1-2_3.=';

/** Keys and request ids, for every operation. */
export function everyKeyChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.operations', 'Every operation of the documents');
  const { client, staging } = context;
  const { key } = client;
  const calls = once(async () => {
    const known = { ...(await samples()), deliveryId: '1' };
    return (await operationsOf(context)).flatMap((operation) => {
      const path = samplePath(operation, known);
      return path === undefined ? [] : [{ operation, call: callOf(operation, path) }];
    });
  });
  const reads = async () => {
    const isRead = (path: string) => !/^\/sandbox|\/requests$/.test(path);
    return (await calls()).filter(
      ({ operation, call }) => operation.method === 'GET' && !isStream(operation) && isRead(call.path),
    );
  };

  const isRejected = (response: Response, isMissing: boolean) => {
    isError(response, 401, isMissing ? 'missing_api_key' : 'invalid_api_key');
    const challenge = headerOf(response, 'WWW-Authenticate');
    const isRight = isMissing
      ? challenge === CHALLENGE
      : challenge.startsWith(`${CHALLENGE}, `) && challenge.includes('error="invalid_token"');
    holds(
      isRight,
      isMissing ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
      challenge,
      response.request,
    );
  };

  check('key-elsewhere', 'a key in another header, scheme, cookie or the query is no key: 401', async () => {
    const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const elsewhere = {
      ...{ 'X-API-Key': key, 'Api-Key': key, 'X-Auth-Token': key, 'X-Authorization': `Bearer ${key}` },
      ...{ 'Proxy-Authorization': `Bearer ${key}`, Cookie: `key=${key}; token=${key}; session=${key}` },
    };
    for (const { call } of await calls()) {
      const ask = (headers: Record<string, string>, query = '') =>
        client.send({ ...call, path: call.path + query, key: null, headers });
      const query = `?api_key=${key}&access_token=${key}&key=${key}&token=${key}`;
      for (const response of [
        await ask(elsewhere, query),
        await ask({ Authorization: basic }),
        await ask({ Authorization: key }),
        await ask({ Authorization: `Token ${key}` }),
      ])
        isRejected(response, true);
    }
  });
  check('wrong-key', 'a key that is altered, doubled or of the other deployment is 401', async () => {
    const others = [damaged(key), key.slice(0, -1), `${key}x`, key.toUpperCase(), `${key} ${key}`];
    const wrong = staging ? [...others, staging.client.key] : others;
    for (const { call } of await calls())
      for (const other of wrong.filter((one) => one !== key))
        isRejected(await client.send({ ...call, key: other }), false);
  });
  check('scheme', 'the scheme is case-insensitive, for every operation', async () => {
    for (const { call } of await reads())
      for (const scheme of ['bearer', 'BEARER']) {
        const headers = { Authorization: `${scheme} ${key}` };
        hasStatus(await client.send({ ...call, key: null, headers }), 200);
      }
  });
  check(
    'own-request-id',
    '`X-Request-Id` is echoed on 200, 304, 404, 405 and 400, replaced if it is long',
    async () => {
      for (const { call } of await reads()) {
        const ask = (other: Partial<Call>, headers = {}) =>
          client.send({ ...call, ...other, headers: { 'X-Request-Id': OWN_ID, ...headers } });
        for (const response of [
          await ask({}),
          await ask({}, { 'If-None-Match': '*' }),
          await ask({ path: `${call.path}/nothing` }),
          await ask({ method: 'PUT' }),
          await ask({ path: `${call.path}?limit=none` }),
        ])
          same(headerOf(response, 'X-Request-Id'), OWN_ID, 'X-Request-Id', response.request);
        const long = await client.send({ ...call, headers: { 'X-Request-Id': 'a'.repeat(65) } });
        holds(
          headerOf(long, 'X-Request-Id').length < 65,
          'an id of the service',
          long.headers['x-request-id'],
        );
      }
    },
  );
  check('head-of-change', 'HEAD of a path without GET is 405 without a body', async () => {
    const all = await calls();
    const hasGet = (prefix: string, path: string) =>
      all.some(({ call }) => call.method === 'GET' && call.prefix === prefix && call.path === path);
    for (const { call } of all) {
      if (hasGet(call.prefix, call.path) || call.path.startsWith('/sandbox')) continue;
      const response = await client.send({ ...call, method: 'HEAD' });
      hasStatus(response, 405);
      hasNoBody(response);
      holds(
        !/GET|HEAD/.test(headerOf(response, 'Allow')),
        'no GET',
        response.headers.allow,
        response.request,
      );
    }
  });
  check('rare-methods', 'TRACE, PROPFIND and the like are 405 for every path', async () => {
    const paths = new Map((await calls()).map(({ call }) => [call.prefix + call.path, call]));
    for (const { prefix, path } of paths.values())
      for (const method of ['TRACE', 'PROPFIND', 'OPTIONS']) {
        if (path.startsWith('/sandbox')) continue;
        const response = await client.send({ method, prefix, path });
        isError(response, 405, 'method_not_allowed');
        headerOf(response, 'Allow');
      }
  });
  check('other-paths', 'no other spelling of a path is a path: 404', async () => {
    const paths = new Map((await calls()).map(({ call }) => [call.prefix + call.path, call]));
    for (const { prefix, path } of paths.values())
      for (const other of [
        `${path}/`,
        `/${path}`,
        path.toUpperCase(),
        `${path}.json`,
        `${path};v=1`,
        `${path}%20`,
      ]) {
        if (other === path) continue;
        const response = await client.send({ prefix, path: other });
        // What follows the id of a path that has GET is a part of the id.
        hasStatus(response, 404, 405);
        isError(response, response.status);
      }
  });
}
