import type { Socket } from 'node:net';
import { type Program, startPlain } from '../../program/start-program.ts';
import { signUpAndIn } from '../../walk/accounts.ts';
import { attempt, head, openUnreadSocket, pause } from '../clients.ts';
import {
  compareNewConnections,
  describeNewConnections,
  judgeNewConnections,
  plainSide,
} from '../new-connections.ts';
import { MAX_MS, production, type Scene, staging, times } from '../scene.ts';
import { seedOrders } from '../seed.ts';
import { openUnreadClients } from '../small-windows.ts';

/** Limit of unsent response bytes per owner, in megabytes. */
const MAX_IN_FLIGHT = 32;
/** Garbage of rejected responses, until V8 collects it. */
const GARBAGE = 96;
/** By then, the service has written or rejected every response, or closed its connection. */
const SETTLE_MS = 3_000;

/** How many times as long as at a plain node:http a new connection may wait: the service looks up keys, and builds pages. */
const MAX_FACTOR_WITHOUT_KEY = 3;
const MAX_FACTOR_WITH_KEY = 6;

const PETS = 10_000;
const mcpBody = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'listOrders', arguments: { limit: 1000 } },
});

const withBody = (origin: string, line: string, key: string, body: string) =>
  head(
    origin,
    line,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ) + body;

interface UnreadAttack {
  readonly requests: readonly string[];
  /** The key of another owner. */
  readonly other: string;
  readonly path?: string;
  /** How many times as long as at a plain node:http a new connection may wait. */
  readonly maxFactor: number;
}

/** Leaves the responses of one owner unread, and checks that another owner and new connections are still served. */
async function leaveUnread(program: Program, origin: string, attack: UnreadAttack) {
  const { requests, other, path = '/v1/pets', maxFactor } = attack;
  await using clients = await openUnreadClients(origin, requests);
  const { opened } = await clients.settled;
  await pause(SETTLE_MS);
  // From another address: that of the attackers may have reached its limit of connections.
  const headers = { authorization: `Bearer ${other}` };
  const status = await fetch(origin + path, { headers, signal: AbortSignal.timeout(MAX_MS) })
    .then((response) => response.arrayBuffer().then(() => response.status))
    .catch(() => 0);
  const afterwards = async () => {
    await using plain = await startPlain();
    const service = { program, origin, requests };
    const compared = await compareNewConnections(service, plainSide(plain, requests.length));
    return { text: describeNewConnections(compared), problem: judgeNewConnections(compared, maxFactor) };
  };
  return {
    text: `${opened} opened; another owner got ${status || 'no response'}`,
    problem: status === 200 ? undefined : 'another owner is not served',
    afterwards,
  };
}

export const unread: readonly Scene[] = [
  {
    name: '{n} connections with small windows that do not read their pages of 1,000 orders',
    count: 900,
    allowedMegabytes: () => MAX_IN_FLIGHT + GARBAGE,
    async prepare(program, count) {
      const { origin, key: other } = production(program);
      const key = seedOrders(program, 2_000);
      const request = head(origin, 'GET /v2/store/orders?limit=1000', `Authorization: Bearer ${key}`);
      const requests = Array(count).fill(request);
      const path = '/v2/store/orders?limit=1000';
      return () => leaveUnread(program, origin, { requests, other, path, maxFactor: MAX_FACTOR_WITH_KEY });
    },
  },
  {
    name: '{n} connections with small windows that do not read MCP list results',
    count: 600,
    allowedMegabytes: () => MAX_IN_FLIGHT + GARBAGE,
    async prepare(program, count) {
      const { origin, key: other } = production(program);
      const key = seedOrders(program, 2_000);
      const requests = Array(count).fill(withBody(origin, 'POST /mcp', key, mcpBody));
      return () => leaveUnread(program, origin, { requests, other, maxFactor: MAX_FACTOR_WITH_KEY });
    },
  },
  {
    name: '{n} connections with small windows that do not read an export or a truncated list',
    count: 200,
    allowedMegabytes: () => MAX_IN_FLIGHT + GARBAGE,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const other = await signUpAndIn(origin);
      const name = 'x'.repeat(100);
      const pets = times(PETS, (i) => ({ id: i + 1, name, category: 'dog', stock: 1 }));
      const orders = times(PETS, (i) => ({ petId: i + 1, quantity: 1 }));
      const body = JSON.stringify({ data: { pets, orders } });
      const filled = await attempt(origin, '/v2/sandbox/reset', { method: 'POST', key, body });
      if (filled.status !== 200) throw new Error(`the store was not filled: ${filled.status}`);
      const authorization = `Authorization: Bearer ${key}`;
      const both = [
        head(origin, 'GET /v2/sandbox/data', authorization),
        head(origin, 'GET /v1/store/orders', authorization, 'Prefer: fault=truncate'),
      ];
      const requests = times(count, (i) => both[i % 2] as string);
      return () =>
        leaveUnread(program, origin, { requests, other: other.key, maxFactor: MAX_FACTOR_WITH_KEY });
    },
  },
  {
    name: '{n} connections with made-up Hosts and small windows that do not read a document',
    count: 1_500,
    allowedMegabytes: () => MAX_IN_FLIGHT,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const requests = times(count, (i) =>
        [`GET /v2/openapi.json HTTP/1.1`, `Host: made-up-${i}.example`, '', ''].join('\r\n'),
      );
      return () => leaveUnread(program, origin, { requests, other: key, maxFactor: MAX_FACTOR_WITHOUT_KEY });
    },
  },
  {
    name: '{n} large lists of two stores with small windows that are not read, while another store requests its own',
    count: 8,
    allowedMegabytes: () => 2 * MAX_IN_FLIGHT,
    async prepare(program, count) {
      const { origin } = production(program);
      const keys = times(2, () => seedOrders(program, 60_000));
      const other = seedOrders(program, 60_000);
      const requests = times(count, (i) =>
        head(origin, 'GET /v1/store/orders', `Authorization: Bearer ${keys[i % 2]}`),
      );
      return async () => {
        await using _ = await openUnreadClients(origin, requests);
        await pause(SETTLE_MS);
        const { status, milliseconds } = await attempt(origin, '/v1/store/orders', { key: other });
        return {
          text: `its list got ${status || 'no response'} after ${(milliseconds / 1000).toFixed(1)} s`,
          problem: status === 200 ? undefined : 'two stores take all streams',
        };
      };
    },
  },
  {
    name: '{n} slow request bodies from eight accounts, while another store is reset with custom data',
    count: 32,
    allowedMegabytes: () => 8 * MAX_IN_FLIGHT,
    async prepare(program, count) {
      const { origin, key } = staging(program);
      const accounts = await Promise.all(times(8, () => signUpAndIn(origin)));
      const pets = times(1_000, (i) => ({ id: i + 1, name: 'x'.repeat(100), category: 'dog', stock: 1 }));
      const body = JSON.stringify({ data: { pets, orders: [] } });
      return async () => {
        const sockets: Socket[] = [];
        for (let i = 0; i < count; i++) {
          const { key: own } = accounts[i % accounts.length] as { key: string };
          const request = withBody(origin, 'POST /v2/sandbox/reset', own, ' '.repeat(4_000_000));
          sockets.push(await openUnreadSocket(origin, request.slice(0, 100_000)));
        }
        const dripping = setInterval(() => {
          for (const socket of sockets) if (socket.writable) socket.write(' ');
        }, 500);
        await pause(1_000);
        const { status } = await attempt(origin, '/v2/sandbox/reset', { method: 'POST', key, body });
        clearInterval(dripping);
        for (const socket of sockets) socket.destroy();
        return {
          text: `the reset got ${status || 'no response'}`,
          problem: status === 200 ? undefined : 'slow bodies block other clients',
        };
      };
    },
  },
];
