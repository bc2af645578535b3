import type { Socket } from 'node:net';
import type { Program } from '../../program/start-program.ts';
import { attackPlain } from '../attack-plain.ts';
import { attempt, countStatuses, head, openUnreadSocket, pause, runClients } from '../clients.ts';
import { production, type Scene, times } from '../scene.ts';
import { largestScript, seedOrders } from '../seed.ts';

/** The idle timeout of a connection, plus a margin. */
const IDLE_TIMEOUT_MS = 75_000;
const KILOBYTE = 1024;

/** Waits until the service has closed all sockets; returns the number still open. */
async function waitUntilClosed(sockets: readonly Socket[], timeoutMs: number): Promise<number> {
  const until = performance.now() + timeoutMs;
  const open = () => sockets.filter((socket) => !socket.destroyed && !socket.closed).length;
  while (open() > 0 && performance.now() < until) await pause(100);
  return open();
}

/** A request whose response exceeds what the kernel buffers for a client that does not read. */
function longListRequest(program: Program): string {
  const key = seedOrders(program, 60_000);
  return head(production(program).origin, 'GET /v1/store/orders', `Authorization: Bearer ${key}`);
}

/** The longest blocked event-loop tick after the first `since` ones. */
const longestTick = ({ blocked }: Program, since: number) =>
  Math.max(0, ...blocked.slice(since).map(({ cpu }) => cpu));

const destroy = (sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.destroy();
};

export const connections: readonly Scene[] = [
  {
    name: '{n} connections that pipeline a script or long list, a one-byte body and a page in one write, and never read',
    count: 4,
    allowedMegabytes: (count) => 2 * count,
    async prepare(program, count) {
      const { origin } = production(program);
      const long = [head(origin, `GET ${await largestScript(origin)}`), longListRequest(program)];
      const rest = `${head(origin, 'GET /', 'Content-Length: 1')}x${head(origin, 'GET /')}`;
      return async () => {
        const sockets = await Promise.all(
          times(count, (index) => openUnreadSocket(origin, `${long[index % 2]}${rest}`)),
        );
        await pause(2_000);
        const { status } = await attempt(origin, '/v1/pets');
        destroy(sockets);
        return {
          text: `another client got ${status || 'nothing'}`,
          problem: status === 0 ? 'it hangs' : undefined,
        };
      };
    },
  },
  {
    name: '{n} connections that never read and send the next header byte by byte, with a raised connection limit',
    count: 200,
    // On loopback, the per-address share is off by default.
    flags: ['--max-connections', '200', '--max-connections-per-address', '20'],
    allowedMegabytes: (count) => count,
    async prepare(program, count) {
      const { origin } = production(program);
      const bytes = longListRequest(program) + head(origin, 'GET /').slice(0, -2);
      return async () => {
        const sockets = await Promise.all(times(count, () => openUnreadSocket(origin, bytes)));
        const dripping = setInterval(() => {
          for (const socket of sockets) if (socket.writable) socket.write('x: y\r\n');
        }, 1_000);
        await pause(2_000);
        const others: number[] = [];
        for (let i = 0; i < 10; i++)
          others.push(
            await fetch(`${origin}/healthz`, { headers: { connection: 'close' } }).then(
              ({ status }) => status,
              () => 0,
            ),
          );
        const stillOpen = await waitUntilClosed(sockets, IDLE_TIMEOUT_MS);
        clearInterval(dripping);
        destroy(sockets);
        const rejected = others.filter((status) => status !== 200).length;
        return {
          text: `${rejected} of 10 others rejected; ${stillOpen} still open after ${IDLE_TIMEOUT_MS / 1000} s`,
          problem:
            [
              rejected > 0 ? 'one address takes all connections' : '',
              stillOpen > 0 ? 'a dripping client is never disconnected' : '',
            ]
              .filter(Boolean)
              .join(', ') || undefined,
        };
      };
    },
  },
  {
    name: '{n} unsolicited 1 MB request bodies',
    count: 300,
    // 128 KB that each socket has read ahead.
    allowedMegabytes: (count) => (count * 128) / KILOBYTE,
    async prepare(program, count) {
      const { origin } = production(program);
      const megabyte = Buffer.alloc(KILOBYTE * KILOBYTE, 'x');
      const bytes = Buffer.concat([
        Buffer.from(head(origin, 'POST /v2/store/orders', `Content-Length: ${100 * megabyte.length}`)),
        megabyte,
      ]);
      return async () => {
        const sockets = await Promise.all(times(count, () => openUnreadSocket(origin, bytes)));
        await pause(3_000);
        // A client that does not read does not notice that its connection was closed.
        for (const socket of sockets) socket.resume();
        const open = await waitUntilClosed(sockets, 3_000);
        destroy(sockets);
        return { text: `${open} of ${count} still open after 6 s` };
      };
    },
  },
  {
    name: '{n} stalled readers of a list of 60,000 orders, each at a different revision',
    count: 30,
    flags: ['--list-memory', '16'],
    // The cache, and the unsent part of each list.
    allowedMegabytes: (count) => 2 * 16 + count,
    async prepare(program, count) {
      const { origin } = production(program);
      const key = seedOrders(program, 60_000);
      const request = head(origin, 'GET /v1/store/orders', `Authorization: Bearer ${key}`);
      const list = await attempt(origin, '/v2/store/orders?status=pending&limit=1000', { key });
      const ids = (JSON.parse(list.body).data as Array<{ id: number }>).map(({ id }) => id);
      return async () => {
        const sockets: Socket[] = [];
        for (let i = 0; i < count; i++) {
          sockets.push(await openUnreadSocket(origin, request));
          await pause(100);
          await attempt(origin, `/v2/store/orders/${ids.pop()}`, { method: 'DELETE', key });
        }
        await pause(500);
        const { status } = await attempt(origin, '/v1/store/orders', { key });
        destroy(sockets);
        return { text: `another list of the store got ${status}` };
      };
    },
  },
  {
    name: '{n} bodies of 64 KB in one-byte chunks, compared with plain node:http',
    count: 100,
    // Node's parser creates an object for each chunk that comes with the head.
    allowedMegabytes: (count) => 5 * count,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const chunks = '1\r\nx\r\n'.repeat(64 * KILOBYTE);
      const type = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const withKey = head(origin, 'POST /v2/store/orders', `Authorization: Bearer ${key}`, ...type) + chunks;
      const without = head(origin, 'POST /v2/store/orders', ...type) + chunks;
      const send = async (to: string) => {
        const sockets = await Promise.all(
          times(count, (index) => openUnreadSocket(to, index % 2 === 0 ? withKey : without)),
        );
        for (const socket of sockets) socket.resume();
        const open = await waitUntilClosed(sockets, 8_000);
        destroy(sockets);
        return open;
      };
      return async () => {
        const before = program.blocked.length;
        const open = await send(origin);
        const own = longestTick(program, before);
        const plain = await attackPlain(send);
        const baseline = plain.longestTick;
        return {
          text: `${open} of ${count} still open after 8 s; a plain node:http blocks for up to ${Math.round(baseline)} ms`,
          plain,
          problem:
            own > 2 * Math.max(50, baseline)
              ? `blocked for ${Math.round(own)} ms, twice as long as a plain node:http`
              : undefined,
        };
      };
    },
  },
  {
    name: '{n} aborted uploads',
    count: 200,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const authorization = `Authorization: Bearer ${key}`;
      const upload = head(
        origin,
        'POST /v2/store/orders',
        authorization,
        'Content-Type: application/json',
        'Content-Length: 1000',
      );
      return async () => {
        for (let opened = 0; opened < count; opened += 50) {
          const sockets = await Promise.all(
            times(50, () => openUnreadSocket(origin, `${upload}{"petId":1,`)),
          );
          await pause(100);
          for (const socket of sockets) socket.resetAndDestroy();
        }
        await pause(500);
        const errors = program
          .log()
          .split('\n')
          .filter((line) => /"level":(50|"error")/i.test(line));
        return {
          text: `${errors.length} errors in the log`,
          problem: errors.length > 0 ? errors[0]?.slice(0, 200) : undefined,
        };
      };
    },
  },
  {
    name: '{n} HTTP/1.0 clients that request keep-alive and chunked encoding',
    count: 100,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const request = [
        'GET /v2/store/orders?limit=1 HTTP/1.0',
        `Authorization: Bearer ${key}`,
        'Connection: keep-alive',
        'Transfer-Encoding: chunked',
        '',
        '5\r\nhello',
      ].join('\r\n');
      return async () => {
        const sockets = await Promise.all(times(count, () => openUnreadSocket(origin, request)));
        for (const socket of sockets) socket.resume();
        const open = await waitUntilClosed(sockets, 5_000);
        destroy(sockets);
        return {
          text: `${open} of ${count} still open after 5 s`,
          problem: open > 0 ? 'an HTTP/1.0 request without an end stays open' : undefined,
        };
      };
    },
  },
  {
    name: '{n} requests for /metrics through a local proxy that adds no header',
    count: 50,
    flags: ['--trust-proxy'],
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin } = production(program);
      return async () => {
        const responses = await runClients(8, count, () => attempt(origin, '/metrics'));
        const statuses = responses.map(({ status }) => status);
        const leaked = statuses.some((status) => status !== 404);
        return {
          text: countStatuses(statuses),
          problem: leaked ? 'metrics are exposed through the proxy' : undefined,
        };
      };
    },
  },
  {
    name: '{n} absolute-form targets with another host',
    count: 20,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const request = head(
        origin,
        'GET http://evil.example/v2/store/orders?limit=1',
        `Authorization: Bearer ${key}`,
        'Connection: close',
      );
      return async () => {
        let reflected = 0;
        for (let i = 0; i < count; i++) {
          const socket = await openUnreadSocket(origin, request);
          let text = '';
          for await (const chunk of socket) text += chunk;
          if (/^link:.*evil\.example/im.test(text)) reflected++;
        }
        return {
          text: `${reflected} of ${count} reflected`,
          problem: reflected > 0 ? 'Link names the host of the target' : undefined,
        };
      };
    },
  },
];
