import { newCredentials, sendRequest, signUpAndIn } from '../../walk/accounts.ts';
import { attackPlain } from '../attack-plain.ts';
import { attempt, countStatuses, head, pause } from '../clients.ts';
import { flood } from '../flood.ts';
import { memoryOf } from '../measure.ts';
import { MAX_MS, production, type Scene, times } from '../scene.ts';
import { copyRow, countRows, randomHex, seedOrders } from '../seed.ts';

/** Memory for hashing, in megabytes: two passwords at a time, 34 MB each. */
const HASHING = 2 * 34;
/** More than one interval of the pruning job. */
const PRUNING_MS = 200_000;
const MAX_STORED_KEYS = 100_000;
const MAX_STORES = 20;
/** The memory of a connection with a waiting change, in megabytes. */
const WAITING = 0.1;
/** How long to wait after a flood until half of the memory is released. */
const MAX_RELEASE_MS = 60_000;

/** The status of an attacker's request. */
const statusOf = async (origin: string, path: string, body: string, headers: Record<string, string> = {}) =>
  (await attempt(origin, path, { method: 'POST', body, headers })).status;

export const writing: readonly Scene[] = [
  {
    name: '650 KB of colons to sign-in, and {n} passwords of ligatures to sign-up',
    count: 100,
    allowedMegabytes: () => HASHING,
    async prepare(program, count) {
      const { origin } = production(program);
      return async () => {
        const colons = times(10, () => statusOf(origin, '/console/api/sign-in', ':'.repeat(65_000)));
        const ligatures = times(count, (index) => {
          const password = 'ﷺ'.repeat(120) + 'ﬃ'.repeat(60) + index;
          return statusOf(origin, '/console/api/sign-up', JSON.stringify({ ...newCredentials(), password }));
        });
        const [first, second] = await Promise.all([Promise.all(colons), Promise.all(ligatures)]);
        return { text: `colons ${countStatuses(first)}; ligatures ${countStatuses(second)}` };
      };
    },
  },
  {
    name: '{n} requests at a limit of 5 a minute, each with its own session key',
    count: 1_000,
    flags: ['--rate-limit', '5'],
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin } = production(program);
      const person = await signUpAndIn(origin);
      return async () => {
        const statuses: number[] = [];
        const until = Date.now() + MAX_MS;
        for (let sent = 0; sent < count && Date.now() < until; sent++) {
          const minted = await sendRequest(origin, '/console/api/token', {
            method: 'POST',
            cookie: person.cookie,
          });
          const { key } = (await minted.json()) as { key?: string };
          statuses.push(
            key === undefined ? minted.status : (await sendRequest(origin, '/v1/pets', { key })).status,
          );
        }
        const passed = statuses.filter((status) => status === 200).length;
        // The limit's minute may end in between.
        return {
          text: countStatuses(statuses),
          problem: passed > 10 ? 'session keys evade the limit' : undefined,
        };
      };
    },
  },
  {
    name: '{n} stored idempotency keys, and 2,000 more',
    count: 150_000,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const storeKey = (index: number) =>
        statusOf(origin, '/v2/store/orders', '{"petId":999999,"quantity":1}', {
          authorization: `Bearer ${key}`,
          'idempotency-key': `attack-${index}`,
        });
      await storeKey(0);
      if (countRows(program, 'idempotency') > 0) {
        copyRow(program, 'idempotency', "key = 'attack-0'", count, (index) => ({
          key: randomHex(16),
          // Below the numbers of all other keys, as if these were older.
          number: -index,
        }));
      }
      return async () => {
        const statuses: number[] = [];
        const until = Date.now() + MAX_MS;
        for (let index = 1; index <= 2000 && Date.now() < until; index += 50) {
          statuses.push(...(await Promise.all(times(50, (offset) => storeKey(index + offset)))));
        }
        let rows = countRows(program, 'idempotency');
        // Pruning runs in the background, once a minute. A run that began earlier leaves the newest keys to the next one.
        const deadline = Date.now() + PRUNING_MS;
        while (rows > MAX_STORED_KEYS && Date.now() < deadline) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          rows = countRows(program, 'idempotency');
        }
        return {
          text: `${countStatuses(statuses)}; ${rows} rows stored`,
          problem: rows > MAX_STORED_KEYS ? `more than ${MAX_STORED_KEYS} are stored` : undefined,
        };
      };
    },
  },
  {
    name: '{n} sign-ups from one address',
    count: 500,
    flags: ['--host', '0.0.0.0', '--demo'],
    allowedMegabytes: () => HASHING,
    async prepare(program, count) {
      const { origin } = production(program);
      const before = countRows(program, 'stores');
      return async () => {
        const credentials = times(count, () => newCredentials());
        const statuses = await Promise.all(
          credentials.map((body) => statusOf(origin, '/console/api/sign-up', JSON.stringify(body))),
        );
        const opened = credentials.filter((_, index) => statuses[index] === 200).slice(0, 2 * MAX_STORES);
        const until = Date.now() + MAX_MS;
        for (const body of opened) {
          if (Date.now() > until) break;
          const response = await sendRequest(origin, '/console/api/sign-in', { method: 'POST', body });
          const cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
          const session = await sendRequest(origin, '/console/api/session', {
            method: 'POST',
            body: '{}',
            cookie,
          });
          await session.arrayBuffer();
        }
        const stores = countRows(program, 'stores') - before;
        return {
          text: `${countStatuses(statuses)}; ${stores} stores from ${opened.length} attempts`,
          problem: stores > MAX_STORES ? `more than ${MAX_STORES} stores from one address` : undefined,
        };
      };
    },
  },
  {
    name: '{n} concurrent sign-ins while another client requests a compressed list',
    count: 600,
    // In addition to hashing: the list of 20,000 orders, sent and compressed.
    allowedMegabytes: () => HASHING + 16,
    async prepare(program, count) {
      const { origin } = production(program);
      const key = seedOrders(program, 20_000);
      const list = async () => {
        const begun = performance.now();
        const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' };
        await fetch(`${origin}/v1/store/orders`, { headers, signal: AbortSignal.timeout(60_000) }).then(
          (response) => response.arrayBuffer(),
        );
        return performance.now() - begun;
      };
      const cancelOrder = (id: number) =>
        sendRequest(origin, `/v1/store/orders/${id}`, { method: 'DELETE', key });
      await list();
      return async () => {
        let isOver = false;
        const signIns = Promise.all(
          times(count, (index) =>
            statusOf(
              origin,
              '/console/api/sign-in',
              JSON.stringify({ email: `attack-${index}@example.com`, password: 'wrong-72-guess' }),
            ),
          ),
        ).finally(() => {
          isOver = true;
        });
        let worst = 0;
        for (let id = 1; !isOver; id++) {
          // A changed list is compressed again.
          await cancelOrder(id);
          worst = Math.max(worst, await list());
        }
        const statuses = await signIns;
        return {
          text: `${countStatuses(statuses)}; the list took ${Math.round(worst)} ms at worst`,
          problem: worst > 2000 ? 'compressing the list waits for password hashing' : undefined,
        };
      };
    },
  },
  {
    name: '{n} clients that repeat a change as soon as it returns',
    count: 4_000,
    flags: ['--rate-limit', 'none'],
    allowedMegabytes: (count) => count * WAITING,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const request = head(origin, 'DELETE /v1/store/orders/1', `Authorization: Bearer ${key}`);
      const memory = memoryOf(program.pid);
      const idle = memory.now();
      return async () => {
        const options = { connections: count, pipelined: 1, repeat: true };
        const { responses } = await flood(origin, request, options);
        const taken = memory.now() - idle;
        const begun = performance.now();
        const waited = () => performance.now() - begun;
        while (memory.now() - idle > taken / 2 && waited() < MAX_RELEASE_MS) await pause(500);
        const left = Math.round(memory.now() - idle);
        return {
          // Node accepts one connection per tick: each of many that are opened at once waits for those before it.
          plain: await attackPlain((plainOrigin) => flood(plainOrigin, request, options)),
          text: `${responses} responses; ${Math.round(taken)} MB used, ${left} MB left after ${Math.round(waited() / 1000)} s`,
        };
      };
    },
  },
];
