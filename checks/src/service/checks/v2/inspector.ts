import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { holds, same } from '../../expect.ts';
import { type Fields, pageOf } from '../../v2.ts';
import { sectionOf } from './section.ts';

const MAX_TRIES = 40;

/** The requests of a store, which are stored shortly after their responses. */
export function inspectorChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'inspector', 'the inspector', 'get /store/requests');
  const recorded = async (requestId: string): Promise<Fields | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { data } = pageOf(await v2.get('/store/requests?limit=200'));
      const found = data.find((entry) => entry.requestId === requestId);
      if (found) return found;
      await pause(50);
    }
    return undefined;
  };

  check(
    'request',
    'a request is listed as it was: method, path, status, code, user agent and request id',
    async () => {
      const requestId = randomUUID();
      const headers = { 'X-Request-Id': requestId, 'User-Agent': 'acceptance' };
      await v2.get('/store/orders/987654321?a=1', headers);
      const entry = await recorded(requestId);
      const shown = [entry?.method, entry?.path, entry?.status, entry?.error, entry?.userAgent];
      const path = `${client.v2}/store/orders/987654321?a=1`;
      same(shown, ['GET', path, 404n, 'not_found', 'acceptance'], 'the request', 'GET /store/requests');
    },
  );
  check('no-key', 'no key is shown, wherever a request had it', async () => {
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId, Cookie: `key=${client.key}`, 'X-Api-Key': client.key };
    await v2.send('PATCH', '/pets/987654321', JSON.stringify({ name: client.key }), {
      ...headers,
      'Content-Type': 'application/json',
    });
    const entry = await recorded(requestId);
    holds(entry !== undefined, 'the request', entry, 'GET /store/requests');
    const shown = JSON.stringify([entry?.requestHeaders, entry?.responseHeaders]);
    holds(!shown.includes(client.key.slice(9)), 'no key in the headers', shown, 'GET /store/requests');
  });
}
