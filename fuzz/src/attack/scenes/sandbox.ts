import { signUpAndIn } from '../../walk/accounts.ts';
import { attempt, countStatuses, head, openUnreadSocket, pause, runClients } from '../clients.ts';
import { processorSeconds } from '../processor-time.ts';
import { type Scene, staging, times } from '../scene.ts';
import { countRows } from '../seed.ts';

const reset = (origin: string, key: string, body: object) =>
  attempt(origin, '/v2/sandbox/reset', { method: 'POST', key, body: JSON.stringify(body) });

/** The share of a core that the program uses over the next seconds. */
async function coresUsed(pid: number, seconds: number): Promise<number> {
  const before = processorSeconds(pid);
  await pause(1000 * seconds);
  return (processorSeconds(pid) - before) / seconds;
}

export const sandbox: readonly Scene[] = [
  {
    name: '{n} resets to a million orders whose clients disconnect, while another store is reset',
    count: 5,
    allowedMegabytes: () => 64,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const other = await signUpAndIn(origin);
      const body = '{"dataSet":"large","orders":1000000}';
      const request = head(
        origin,
        'POST /v2/sandbox/reset',
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      );
      return async () => {
        const sockets = await Promise.all(times(count, () => openUnreadSocket(origin, request + body)));
        await pause(1_000);
        for (const socket of sockets) socket.destroy();
        const { status, milliseconds } = await reset(origin, other.key, { dataSet: 'default' });
        await pause(2_000);
        const cores = await coresUsed(program.pid, 2);
        return {
          text: `the other reset returned ${status || 'nothing'} after ${Math.round(milliseconds)} ms; later ${cores.toFixed(2)} cores busy`,
          problem:
            status !== 200 || milliseconds > 5_000
              ? 'large resets delay the reset of another store'
              : cores > 0.5
                ? 'it keeps working for disconnected clients'
                : undefined,
        };
      };
    },
  },
  {
    name: '{n} accounts that reset two stores each to a million orders, while another account resets to 2,000',
    count: 4,
    allowedMegabytes: () => 64,
    async prepare(program, count) {
      const { origin } = staging(program);
      const other = await signUpAndIn(origin);
      const keys: string[] = [];
      for (let i = 0; i < count; i++) {
        const { key } = await signUpAndIn(origin);
        const { body } = await attempt(origin, '/v2/sandbox/stores', { method: 'POST', key, body: '{}' });
        keys.push(key, JSON.parse(body).key);
      }
      return async () => {
        const resets = keys.map((key) => reset(origin, key, { dataSet: 'large', orders: 1_000_000 }));
        await pause(1_000);
        const { status, milliseconds } = await reset(origin, other.key, { dataSet: 'large', orders: 2_000 });
        await Promise.all(resets);
        return {
          text: `the shorter reset got ${status || 'no response'} after ${(milliseconds / 1000).toFixed(1)} s`,
          problem: status === 200 ? undefined : 'resets to a million orders block shorter ones',
        };
      };
    },
  },
  {
    name: '{n} requests at a limit of 60 a minute, with a reset before every twentieth',
    count: 600,
    flags: ['--rate-limit', '60'],
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      return async () => {
        const responses = await runClients(1, count, (index) =>
          index % 20 === 0
            ? reset(origin, key, { dataSet: 'default' })
            : attempt(origin, '/v1/pets', { key }),
        );
        const passed = responses.filter(({ status }) => status === 200).length;
        // The limit's minute may end in between, and workers synchronize every second.
        return {
          text: countStatuses(responses.map(({ status }) => status)),
          problem: passed > 240 ? 'a reset restarts the count' : undefined,
        };
      };
    },
  },
  {
    name: '{n} streams of one store, with a reset before every fiftieth',
    count: 1_000,
    allowedMegabytes: (count) => (20 * count) / 1024,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const request = head(origin, 'GET /v2/store/events/stream', `Authorization: Bearer ${key}`);
      return async () => {
        const statuses: number[] = [];
        const sockets = [];
        for (let index = 0; index < count; index++) {
          if (index % 50 === 0) await reset(origin, key, { dataSet: 'empty' });
          const socket = await openUnreadSocket(origin, request);
          socket.once('data', (chunk: Buffer) => statuses.push(Number(chunk.toString('latin1', 9, 12))));
          socket.resume();
          sockets.push(socket);
        }
        await pause(1_000);
        for (const socket of sockets) socket.destroy();
        const open = statuses.filter((status) => status === 200).length;
        return {
          text: countStatuses(statuses),
          problem: open > count / 2 ? 'the number of streams per store is not limited' : undefined,
        };
      };
    },
  },
  {
    name: '{n} placements with a preferred time at the end of year 9999',
    count: 20,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const prefer = 'now="9999-12-31T23:59:59Z"';
      return async () => {
        const placed = await runClients(4, count, () =>
          attempt(origin, '/v2/store/orders', {
            method: 'POST',
            key,
            headers: { prefer },
            body: '{"petId":1,"quantity":1}',
          }),
        );
        const odd = placed.filter(({ body }) => /"[+-]\d{6}-/.test(body)).length;
        return {
          text: countStatuses(placed.map(({ status }) => status)),
          problem: odd > 0 ? `${odd} dates have a six-digit year` : undefined,
        };
      };
    },
  },
  {
    name: '{n} responses slowed by faults',
    count: 1_000,
    allowedMegabytes: (count) => (40 * count) / 1024,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const request = head(
        origin,
        'GET /v1/store/orders',
        `Authorization: Bearer ${key}`,
        'Prefer: fault=slow; ms=10000',
      );
      return async () => {
        const sockets = await Promise.all(times(count, () => openUnreadSocket(origin, request)));
        for (const socket of sockets) socket.resume();
        await pause(1_500);
        const cores = await coresUsed(program.pid, 4);
        for (const socket of sockets) socket.destroy();
        return {
          text: `${cores.toFixed(2)} cores busy`,
          problem: cores > 0.4 ? 'slowed responses use too much CPU' : undefined,
        };
      };
    },
  },
  {
    name: '{n} concurrent resets of one store',
    count: 50,
    allowedMegabytes: () => 64,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const before = countRows(program, 'stores', 'staging');
      return async () => {
        const responses = await Promise.all(
          times(count, () => reset(origin, key, { dataSet: 'large', orders: 1_000 })),
        );
        await pause(2_000);
        // The replaced store is erased later.
        const left = countRows(program, 'stores', 'staging') - before - 1;
        return {
          text: `${countStatuses(responses.map(({ status }) => status))}; ${left} stores left`,
          problem: left > 0 ? 'unused prepared stores are left behind' : undefined,
        };
      };
    },
  },
];
