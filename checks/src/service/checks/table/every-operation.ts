import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { at } from '../../document.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoBody,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../../expect.ts';
import type { Response } from '../../http.ts';
import { preferences } from '../caching.ts';
import { lookalikes } from '../ids.ts';
import {
  callOf,
  documentedResponse,
  isStream,
  operationsOf,
  type Samples,
  samplePath,
  sendHead,
} from './operations.ts';

const MISSING_ID = '987654321';
const MIN_COMPRESSED_BYTES = 1024;
/** Headers that may differ between two responses to the same request. */
const VARYING_HEADERS = [
  'date',
  'x-request-id',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'ratelimit',
];
/** Headers that describe a body, which 304 does not have. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding', 'link'];

const comparableHeaders = ({ headers }: Response, without: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => ![...VARYING_HEADERS, ...without].includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The same requests for every operation in the documents. */
export function everyOperationChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.operations', 'Every operation of the documents');
  const { client, v2 } = context;
  const all = once(() => operationsOf(context));
  /** Every GET with its response, except streams, production's sandbox and the inspector's list. */
  const eachRead = async (
    test: (path: string, prefix: string, get: Response, isTagged: boolean) => Promise<void>,
  ) => {
    for (const operation of await all()) {
      const path = samplePath(operation, await samples());
      if (operation.method !== 'GET' || isStream(operation) || path === undefined) continue;
      const get = await client.send(callOf(operation, path));
      // The sandbox is for staging; the inspector's list changes while it is read.
      if ((get.status === 404 && path.startsWith('/sandbox')) || path.endsWith('/requests')) continue;
      expectStatus(get, 200);
      await test(path, operation.prefix, get, documentedResponse(operation, 304) !== undefined);
    }
  };

  check('head', 'HEAD has the status and headers of GET, and no body', () =>
    eachRead(async (path, prefix, get) => {
      const response = await sendHead(client, prefix, path);
      expectStatus(response, 200);
      expectNoBody(response);
      equal(comparableHeaders(response), comparableHeaders(get), 'the headers', response.request);
      const missing = path.replace(/\d+|wh_\w+/, (id) => (/^\d/.test(id) ? MISSING_ID : 'wh_nobody'));
      if (missing === path) return;
      const notFound = await client.send({ prefix, path: missing });
      expectError(notFound, 404, 'not_found');
      const head = await sendHead(client, prefix, missing);
      expectStatus(head, 404);
      expectNoBody(head);
      equal(comparableHeaders(head), comparableHeaders(notFound), 'the headers', head.request);
    }),
  );
  check(
    'conditional',
    '`If-None-Match`: 304 without a body, with the headers of the 200; another tag is 200',
    () =>
      eachRead(async (path, prefix, get, isTagged) => {
        const send = (tag: string) => client.send({ prefix, path, headers: { 'If-None-Match': tag } });
        if (!isTagged && !('etag' in get.headers)) {
          for (const tag of ['*', '"a"']) expectStatus(await send(tag), 200);
          return;
        }
        const etag = headerOf(get, 'ETag');
        equal(
          headerOf(await client.send({ prefix, path }), 'ETag'),
          etag,
          'the same ETag',
          `GET ${prefix}${path}`,
        );
        const strong = etag.replace(/^W\//, '');
        for (const tag of [etag, strong, `W/${strong}`, '*', `"a", ${etag}`, `${etag} ,"b"`]) {
          const response = await send(tag);
          expectStatus(response, 304);
          expectNoBody(response);
          equal(
            comparableHeaders(response, BODY_HEADERS),
            comparableHeaders(get, BODY_HEADERS),
            'the headers',
            response.request,
          );
          for (const name of ['Content-Type', 'Content-Encoding']) expectNoHeader(response, name);
        }
        for (const tag of ['"a"', strong.slice(1, -1), '""']) expectSameBody(await send(tag), get);
        const head = await sendHead(client, prefix, path, { 'If-None-Match': etag });
        expectStatus(head, 304);
        expectNoBody(head);
        const missing = path.replace(/\d+/, MISSING_ID);
        if (missing === path) return;
        const headers = { 'If-None-Match': '*' };
        expectError(await client.send({ prefix, path: missing, headers }), 404, 'not_found');
      }),
  );
  check('accept', '`Accept` is ignored: always JSON, even with `q=0`', () =>
    eachRead(async (path, prefix, get) => {
      for (const accept of [
        'text/html',
        'application/json;q=0',
        '*/*;q=0',
        'application/json;v=2',
        'nonsense',
      ]) {
        const response = await client.send({ prefix, path, headers: { Accept: accept } });
        expectSameBody(response, get);
        equal(
          response.headers['content-type'],
          get.headers['content-type'],
          'content type',
          response.request,
        );
      }
    }),
  );
  check(
    'encoding',
    '`Accept-Encoding`: the same bytes once decoded; the preferred encoding, none with `q=0`',
    () =>
      eachRead(async (path, prefix, get) => {
        for (const encoding of [
          'gzip',
          'br',
          'gzip;q=0.5, br;q=0',
          'gzip;q=0',
          'br;q=0, gzip;q=0',
          '*;q=0',
        ]) {
          const response = await client.send({ prefix, path, headers: { 'Accept-Encoding': encoding } });
          expectStatus(response, 200);
          const { 'content-encoding': used } = response.headers;
          const isAllowed =
            used === undefined || !encoding.includes(`${used};q=0`) || encoding.includes(`${used};q=0.5`);
          ensure(
            isAllowed && (used === undefined || encoding.includes(used)),
            `one of ${encoding}`,
            used,
            response.request,
          );
          const decoded =
            used === 'gzip'
              ? gunzipSync(response.body)
              : used === 'br'
                ? brotliDecompressSync(response.body)
                : response.body;
          ensure(decoded.equals(get.body), 'the same bytes', decoded.toString(), response.request);
          if (get.body.length >= MIN_COMPRESSED_BYTES && !encoding.includes(';'))
            equal(used, encoding, 'Content-Encoding', response.request);
          const { etag } = response.headers;
          if (etag === undefined) continue;
          const isOwnTag = used === undefined || etag.startsWith('W/') || etag !== get.headers.etag;
          ensure(isOwnTag, 'a weak tag, or one for each encoding', etag, response.request);
          expectStatus(await client.send({ prefix, path, headers: { 'If-None-Match': etag } }), 304);
        }
        for (const [accepted, preferred] of get.body.length < MIN_COMPRESSED_BYTES ? [] : preferences) {
          const response = await client.send({ prefix, path, headers: { 'Accept-Encoding': accepted } });
          equal(headerOf(response, 'Content-Encoding'), preferred, 'Content-Encoding', response.request);
        }
      }),
  );
  check('other-headers', 'headers that the document does not name change nothing', () =>
    eachRead(async (path, prefix, get) => {
      for (const headers of [
        { Range: 'bytes=0-9', 'If-Range': '"a"' },
        { 'If-Match': '"a"', 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
        { 'If-Modified-Since': new Date().toUTCString() },
        { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'PUT', 'X-Original-URL': '/v2/pets' },
        {
          'Accept-Language': 'de',
          'Accept-Charset': 'iso-8859-1',
          'Idempotency-Key': 'a',
          Pragma: 'no-cache',
        },
      ] as Record<string, string>[]) {
        const response = await client.send({ prefix, path, headers });
        expectSameBody(response, get);
        equal(comparableHeaders(response), comparableHeaders(get), 'the headers', response.request);
      }
    }),
  );
  check('escapes', 'a percent-encoded ID is the same ID, for every GET', () =>
    eachRead(async (path, prefix, get) => {
      if (!/\/\d+/.test(path)) return;
      const escaped = path.replace(/\d+/, (id) => [...id].map((digit) => `%3${digit}`).join(''));
      expectSameBody(await client.send({ prefix, path: escaped }), get);
    }),
  );
  check('get-body', 'a body on GET is ignored', () =>
    eachRead(async (path, prefix, get) => {
      const headers = { 'Content-Type': 'application/json' };
      expectSameBody(await client.send({ prefix, path, headers, body: '{"limit":1}' }), get);
    }),
  );
  check('origin', 'any origin may read the response, without cookies', () =>
    eachRead(async (path, prefix) => {
      const response = await client.send({ prefix, path, headers: { Origin: 'https://shop.example' } });
      equal(
        headerOf(response, 'Access-Control-Allow-Origin'),
        '*',
        'Access-Control-Allow-Origin',
        response.request,
      );
      expectNoHeader(response, 'Access-Control-Allow-Credentials');
    }),
  );
  check(
    'ids',
    'anything but a plain int64 as an ID is 404 like a missing one, for every operation',
    async () => {
      const ids: Samples = { ...(await samples()), deliveryId: '1' };
      const { orderId, webhookId } = ids;
      if (webhookId !== undefined) expectStatus(await v2.send('POST', `/webhooks/${webhookId}/test`), 202);
      for (const operation of await all()) {
        const [name] = /orderId|petId|deliveryId/.exec(operation.path) ?? [];
        if (name === undefined || samplePath(operation, ids) === undefined) continue;
        const send = (id: string) => {
          const path = samplePath(operation, { ...ids, [name]: id }) ?? '';
          const body =
            operation.method === 'PATCH'
              ? { body: '{"name":"A"}', headers: { 'Content-Type': 'application/json' } }
              : {};
          return client.send({ ...callOf(operation, path), ...body });
        };
        const missing = await send(MISSING_ID);
        for (const id of lookalikes(BigInt(ids[name] ?? 0))) {
          const response = await send(id);
          expectError(response, 404, 'not_found');
          expectSameBody(response, missing);
        }
      }
      equal((await v2.order(BigInt(orderId ?? 0))).status, 'pending', 'the status of the order');
    },
  );
  check('missing', 'a missing webhook or delivery is 404, for every operation', async () => {
    for (const operation of await all()) {
      const { webhookId = '' } = await samples();
      const { path, definition } = operation;
      if (!/webhookId|deliveryId/.test(path)) continue;
      const content = at(definition, 'requestBody', 'content', 'application/json');
      const body = 'example' in content && {
        body: JSON.stringify(content.example),
        headers: { 'Content-Type': 'application/json' },
      };
      const known = path.includes('deliveryId') ? [webhookId, 'wh_nobody'] : ['wh_nobody'];
      for (const id of known) {
        const missing = path.replace('{webhookId}', id).replace('{deliveryId}', 'dlv_nobody');
        expectError(await client.send({ ...callOf(operation, missing), ...body }), 404, 'not_found');
      }
    }
  });
  check('unauthorized', '401 without a key has `WWW-Authenticate`, for HEAD as for any method', async () => {
    for (const operation of await all()) {
      const path = samplePath(operation, await samples());
      if (path === undefined) continue;
      for (const method of operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]) {
        const response = await client.send({ ...callOf(operation, path), method, key: null });
        expectStatus(response, 401);
        equal(
          headerOf(response, 'WWW-Authenticate'),
          'Bearer realm="petstore"',
          'WWW-Authenticate',
          response.request,
        );
        if (method === 'HEAD') expectNoBody(response);
        else expectError(response, 401, 'missing_api_key');
      }
    }
  });
}
