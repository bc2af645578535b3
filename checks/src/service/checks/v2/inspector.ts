import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectStatus } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { type Fields, objectOf, pageOf, type V2 } from '../../v2.ts';
import { sectionOf } from './section.ts';

const MAX_TRIES = 40;

/** The list of a store's requests. Each is stored shortly after its response. */
export function inspectorChecks(suite: Suite, { v2, client, staging }: Context): void {
  const { check } = sectionOf(suite, v2, 'inspector', 'the inspector', 'get /store/requests');
  const findEntry = async (requestId: string, store = v2): Promise<Fields | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { data } = pageOf(await store.get('/store/requests?limit=200'));
      const found = data.find((entry) => entry.requestId === requestId);
      if (found) return found;
      await pause(50);
    }
    return undefined;
  };

  check(
    'request',
    'a request is listed as it was sent: method, path, status, code, user agent and request id',
    async () => {
      const requestId = randomUUID();
      const headers = { 'X-Request-Id': requestId, 'User-Agent': 'acceptance' };
      await v2.get('/store/orders/987654321?a=1', headers);
      const entry = await findEntry(requestId);
      const shown = [entry?.method, entry?.path, entry?.status, entry?.error, entry?.userAgent];
      const path = `${client.v2}/store/orders/987654321?a=1`;
      equal(shown, ['GET', path, 404n, 'not_found', 'acceptance'], 'the request', 'GET /store/requests');
    },
  );
  check(
    'entries',
    'requests are listed newest first, each with its bodies and headers; reads of the list itself are omitted',
    async () => {
      const body = '{"name":"Ada","category":"acceptance","stock":0}';
      const json = { 'Content-Type': 'application/json' };
      const calls = [
        { call: { path: `/pets/${await v2.newPet(0)}`, key: client.key }, operation: 'getPet', sent: null },
        { call: { method: 'DELETE', path: '/store/orders/987654321' }, operation: 'cancelOrder', sent: null },
        {
          call: { method: 'POST', prefix: client.v2, path: '/pets', body, headers: json },
          operation: 'createPet',
          sent: body,
        },
        { call: { prefix: client.v2, path: '/nothing/here' }, operation: null, sent: null },
      ];
      const sentRequests: {
        requestId: string;
        response: Response;
        operation: string | null;
        sent: string | null;
      }[] = [];
      for (const { call, operation, sent } of calls) {
        const requestId = randomUUID();
        const headers = { 'X-Request-Id': requestId, 'User-Agent': 'acceptance', ...call.headers };
        const response = await client.send({ ...call, headers });
        await v2.get('/store/requests?limit=1');
        sentRequests.push({ requestId, response, operation, sent });
      }
      await findEntry(sentRequests.at(-1)?.requestId ?? '');
      const { data } = pageOf(await v2.get('/store/requests?limit=200'));
      const where = 'GET /store/requests';
      const shown = data.filter(({ requestId }) => sentRequests.some((one) => one.requestId === requestId));
      equal(
        shown.map(({ requestId }) => requestId),
        sentRequests.map(({ requestId }) => requestId).reverse(),
        'the requests',
        where,
      );
      for (const { requestId, response, operation, sent } of sentRequests) {
        const entry = shown.find((one) => one.requestId === requestId) ?? {};
        const [, method, path] = /^(\S+) (\S+)/.exec(response.requestText) ?? [];
        const { code } =
          response.status < 400 ? { code: null } : (JSON.parse(response.text) as { code: string });
        const recordedFields = [
          entry.method,
          entry.path,
          entry.operation,
          entry.status,
          entry.error,
          entry.fault,
        ];
        equal(
          recordedFields,
          [method, path, operation, BigInt(response.status), code, null],
          'the request',
          where,
        );
        equal(
          [entry.requestBody, entry.answerBody],
          [sent, response.text.slice(0, 4096)],
          'the bodies',
          where,
        );
        const at = Math.abs(Date.parse(String(entry.at)) - Date.parse(response.headers.date ?? ''));
        ensure(at < 60_000 && Number(entry.durationMs) >= 0, 'the current time', entry.at, where);
        const heads = [entry.requestHeaders, entry.responseHeaders] as Record<string, unknown>[];
        equal(
          [heads[0]?.['user-agent'], heads[1]?.['x-request-id']],
          ['acceptance', requestId],
          'the headers',
          where,
        );
      }
      const listReads = data.filter(
        ({ path, operation }) => /store\/requests/.test(String(path)) || operation === 'listRequests',
      );
      equal(listReads, [], 'reads of the list', where);
    },
  );
  check('long-body', 'the first 4 KB of a longer body are shown', async () => {
    const requestId = randomUUID();
    const body = `{"unexpected":"${'abcdefghij'.repeat(600)}"}`;
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json' };
    await v2.send('POST', '/pets', body, headers);
    const entry = await findEntry(requestId);
    equal(entry?.requestBody, body.slice(0, 4096), 'the body', 'GET /store/requests');
  });
  check('no-key', 'no key is shown, wherever the request contained it', async () => {
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId, Cookie: `key=${client.key}`, 'X-Api-Key': client.key };
    await v2.send('PATCH', '/pets/987654321', JSON.stringify({ name: client.key }), {
      ...headers,
      'Content-Type': 'application/json',
    });
    const entry = await findEntry(requestId);
    ensure(entry !== undefined, 'the request', entry, 'GET /store/requests');
    await client.send({ path: `/pets?key=${client.key}`, headers: { 'X-Request-Id': `${requestId}-2` } });
    const second = await findEntry(`${requestId}-2`);
    const shown = inspect([entry, second], { depth: 5 });
    ensure(
      second !== undefined && !shown.includes(client.key.slice(9)),
      'no key',
      shown,
      'GET /store/requests',
    );
  });
  check(
    'looks-like-a-secret',
    '“anything that looks like an API key or a webhook secret is removed”; `Authorization` and cookies are shown by name',
    async () => {
      const requestId = randomUUID();
      const letters = `${randomUUID().replaceAll('-', '')}abcdef`;
      const secrets = [`pst_live_${letters}`, `pst_test_${letters}`, `whsec_${letters}abcde=`];
      const sent = secrets.join(' ');
      await v2.send(
        'PATCH',
        `/pets/987654321?a=${encodeURIComponent(secrets[2] ?? '')}`,
        JSON.stringify({ name: sent }),
        {
          'Content-Type': 'application/json',
          'X-Request-Id': requestId,
          'X-Note': sent,
          Cookie: 'theme=dark-acceptance',
        },
      );
      const entry = await findEntry(requestId);
      const shown = inspect(entry, { depth: 5 });
      ensure(entry !== undefined && !shown.includes(letters), 'no secret', shown, 'GET /store/requests');
      ensure(!shown.includes('dark-acceptance'), 'no cookie', shown, 'GET /store/requests');
      const names = Object.keys((entry?.requestHeaders ?? {}) as Fields);
      for (const name of ['authorization', 'cookie', 'x-note'])
        ensure(names.includes(name), `the name of the header ${name}`, names, 'GET /store/requests');
    },
  );
  check('no-secret', 'no response is shown with the secret of a webhook or the key of a store', async () => {
    await v2.require('post /webhooks');
    const create = async (store: V2, path: string, body?: string): Promise<Fields> => {
      const requestId = randomUUID();
      const headers = { 'X-Request-Id': requestId, 'Content-Type': 'application/json' };
      const created = objectOf(await store.send('POST', path, body, headers), body ? 201 : 200);
      const shown = inspect(await findEntry(requestId, store), { depth: 5 });
      ensure(shown.includes(requestId), 'the request', shown, 'GET /store/requests');
      const secret = String(created.secret ?? created.key).slice(9);
      ensure(!shown.includes(secret), 'no secret', shown, 'GET /store/requests');
      return created;
    };
    const { id } = await create(v2, '/webhooks', '{"url":"https://receiver.invalid/hook"}');
    v2.onCleanUp(() => v2.send('DELETE', `/webhooks/${id}`));
    await create(v2, `/webhooks/${id}/roll-secret`);
    expectStatus(await v2.send('DELETE', `/webhooks/${id}`), 204);
    if (!staging) return;
    const { key } = await create(staging.v2, '/sandbox/stores', '{"dataSet":"empty"}');
    const end = { method: 'DELETE', prefix: staging.client.v2, path: '/sandbox/stores/current' };
    expectStatus(await staging.client.send({ ...end, key: String(key) }), 204);
  });
}
