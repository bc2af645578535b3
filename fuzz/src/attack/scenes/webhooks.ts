import { readdirSync, statSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { hostileReceivers, startHostileReceiver } from '../../../../server/test/support/hostile-receivers.ts';
import { type Person, signUpAndIn } from '../../walk/accounts.ts';
import { attempt, countStatuses, pause, runClients } from '../clients.ts';
import { startReceiver } from '../receiver.ts';
import { MAX_MS, production, type Scene, times } from '../scene.ts';

const MEGABYTE = 1024 * 1024;
const LARGEST_PAGE = 1.5 * MEGABYTE;
/** A thousand deliveries with eight attempts of a kilobyte each, and the same again in the WAL. */
const MAX_ON_DISK = 32;
const DELIVERY_TIMEOUT_MS = 5_000;

async function createWebhook(origin: string, key: string, url: string): Promise<string> {
  const { status, body } = await attempt(origin, '/v2/webhooks', {
    method: 'POST',
    key,
    body: JSON.stringify({ url }),
  });
  if (status !== 201) throw new Error(`the webhook was not created: ${status} ${body}`);
  return JSON.parse(body).id;
}

const placeOrder = (origin: string, key: string) =>
  attempt(origin, '/v2/store/orders', { method: 'POST', key, body: '{"petId":1,"quantity":1}' });

function megabytesIn(folder: string): number {
  const sizes = readdirSync(folder).map((name) => statSync(joinPath(folder, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE;
}

const WEBHOOKS_OF_STORE = 10;
const TEST_INTERVAL_MS = 500;
/** A new webhook has no waiting retries: its receiver is tried at the full rate again. */
const RENEWAL_INTERVAL_MS = 60_000;

export const webhooks: readonly Scene[] = [
  {
    name: 'hostile webhook receivers of every kind for {n} stores: endless chunks, headers, trailers, informational responses, bodies, silence, a byte every 14 seconds, slow TLS handshakes, redirects',
    count: 4,
    isLong: true,
    allowedMegabytes: () => 160,
    async prepare(program, count, seconds) {
      const { origin } = production(program);
      await using preparing = new AsyncDisposableStack();
      const receivers = await Promise.all(Object.values(hostileReceivers).map(startHostileReceiver));
      for (const receiver of receivers) preparing.use(receiver);
      const urls = receivers.flatMap(({ port }) => [
        `http://127.0.0.1:${port}/`,
        `https://127.0.0.1:${port}/`,
      ]);
      const accounts = await Promise.all(times(count, () => signUpAndIn(origin)));
      const targets = times(count * WEBHOOKS_OF_STORE, (i) => ({
        key: accounts[i % count]?.key ?? '',
        url: urls[i % urls.length] ?? '',
        path: '',
      }));
      const create = async (target: (typeof targets)[number]) => {
        const { key, url, path } = target;
        if (path) await attempt(origin, path, { method: 'DELETE', key });
        target.path = `/v2/webhooks/${await createWebhook(origin, key, url)}`;
      };
      await Promise.all(targets.map(create));
      const openReceivers = preparing.move();
      return async () => {
        await using _ = openReceivers;
        const statuses = new Map<number, number>();
        const test = async ({ key, path }: (typeof targets)[number]) => {
          const { status } = await attempt(origin, `${path}/test`, { method: 'POST', key });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        };
        let renewed = performance.now();
        const until = renewed + seconds * 1000;
        for (; performance.now() < until; await pause(TEST_INTERVAL_MS)) {
          await Promise.all(targets.map(test));
          if (performance.now() - renewed < RENEWAL_INTERVAL_MS) continue;
          renewed = performance.now();
          await Promise.all(targets.map(create));
        }
        const attempts = receivers.reduce((sum, { connections }) => sum + connections, 0);
        const results = [...statuses].map(([status, n]) => `${n} × ${status || 'none'}`).join(', ');
        return { text: `${seconds} s, ${attempts} connections to ${urls.length} receivers, ${results}` };
      };
    },
  },
  {
    name: '{n} deliveries to a receiver that fails with 1 KB, each redelivered 20 times, and 20 concurrent pages of them',
    count: 150,
    allowedMegabytes: () => 32,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const receiver = await startReceiver({ status: 500, text: 'x'.repeat(1024) });
      const id = await createWebhook(origin, key, receiver.url);
      return async () => {
        using _ = receiver;
        const before = megabytesIn(program.data);
        await runClients(20, count, () =>
          attempt(origin, `/v2/webhooks/${id}/test`, { method: 'POST', key }),
        );
        const path = `/v2/webhooks/${id}/deliveries?limit=1000`;
        const { data = [] } = JSON.parse((await attempt(origin, path, { key })).body || '{}');
        const ids = (data as Array<{ id: string }>).map((delivery) => delivery.id);
        await runClients(20, 20 * ids.length, (index) =>
          attempt(origin, `/v2/webhooks/${id}/deliveries/${ids[index % ids.length]}/redeliver`, {
            method: 'POST',
            key,
          }),
        );
        const pages = await Promise.all(times(20, () => attempt(origin, path, { key })));
        const largest = Math.max(...pages.map(({ body }) => body.length));
        const grown = megabytesIn(program.data) - before;
        return {
          text: `${grown.toFixed(0)} MB on disk, a page of ${(largest / MEGABYTE).toFixed(1)} MB`,
          problem:
            grown > MAX_ON_DISK
              ? 'deliveries use ever more disk space'
              : largest > LARGEST_PAGE
                ? 'a page is unbounded'
                : undefined,
        };
      };
    },
  },
  {
    name: '{n} stores with ten silent receivers each, while another store waits for a delivery',
    count: 5,
    allowedMegabytes: () => 32,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const silent = await startReceiver();
      const ready = await startReceiver({ status: 204, text: '' });
      const accounts: Person[] = [];
      while (accounts.length < count) accounts.push(await signUpAndIn(origin));
      for (const account of accounts)
        for (let i = 0; i < 10; i++) await createWebhook(origin, account.key, silent.url);
      await createWebhook(origin, key, ready.url);
      return async () => {
        using _silent = silent;
        using _ready = ready;
        await runClients(20, 20 * count, (index) => placeOrder(origin, accounts[index % count]?.key ?? ''));
        await silent.delivered;
        const from = performance.now();
        await placeOrder(origin, key);
        const late = new Promise((resolve) => setTimeout(resolve, MAX_MS));
        await Promise.race([ready.delivered, late]);
        const waited = performance.now() - from;
        return {
          text: `the delivery arrived after ${Math.round(waited)} ms`,
          problem: waited > DELIVERY_TIMEOUT_MS ? "other stores' receivers delay it" : undefined,
        };
      };
    },
  },
  {
    name: '{n} webhook ids with a zero byte, on PostgreSQL, while another store places orders',
    count: 700,
    engine: 'postgres',
    allowedMegabytes: () => 32,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const other = await signUpAndIn(origin);
      const id = '/v2/webhooks/%00';
      const routes: Array<[method: string, path: string]> = [
        ['GET', id],
        ['PATCH', id],
        ['DELETE', id],
        ['POST', `${id}/roll-secret`],
        ['POST', `${id}/test`],
        ['GET', `${id}/deliveries`],
        ['POST', `${id}/deliveries/%00/redeliver`],
      ];
      return async () => {
        const rejected: number[] = [];
        const hostile = runClients(16, count, async (index) => {
          const [method, path] = routes[index % routes.length] as [string, string];
          const body = method === 'PATCH' ? '{"active":false}' : undefined;
          rejected.push((await attempt(origin, path, { method, key, body })).status);
        });
        const placed = await runClients(8, 200, () => placeOrder(origin, other.key));
        await hostile;
        const failed = [...rejected, ...placed.map(({ status }) => status)].filter((status) => status >= 500);
        return {
          text: `${countStatuses(rejected)}; the other store ${countStatuses(placed.map(({ status }) => status))}`,
          problem: failed.length > 0 ? `${failed.length} server errors` : undefined,
        };
      };
    },
  },
];
