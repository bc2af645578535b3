import { Agent, request as send } from 'node:http';
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { allOrders, type Order, openClient, unitsOf } from '../support/v2.ts';

interface CuttingProxy extends TcpProxy {
  readonly cuts: { onTheWay: number; onTheWayBack: number };
}

/** Forwards bytes, but drops many connections before the request or the response is complete. */
async function startCuttingProxy(target: number, random: () => number): Promise<CuttingProxy> {
  const cuts = { onTheWay: 0, onTheWayBack: 0 };
  const partOf = (bytes: Buffer) => bytes.subarray(0, Math.floor(random() * bytes.length));
  const proxy = await startTcpProxy(target, ({ client, upstream, cut }) => {
    client.on('data', (bytes: Buffer) => {
      if (random() >= 0.2) return void upstream.write(bytes);
      cuts.onTheWay++;
      upstream.write(partOf(bytes), cut);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (random() >= 0.4) return void client.write(bytes);
      cuts.onTheWayBack++;
      client.write(partOf(bytes), cut);
    });
  });
  return { ...proxy, cuts };
}

/** A generator of numbers below one, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Retried {
  readonly agent: Agent;
  readonly port: number;
  readonly key: string;
  readonly idempotencyKey: string;
}

/** One attempt; undefined if the connection broke before the response was complete. */
function attempt({ agent, port, key, idempotencyKey }: Retried) {
  return new Promise<{ status: number; text: string } | undefined>((resolve) => {
    const body = '{"petId":1,"quantity":2}';
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      'idempotency-key': idempotencyKey,
    };
    const path = '/v2/store/orders';
    const request = send({ agent, host: '127.0.0.1', port, method: 'POST', path, headers }, (res) => {
      let text = '';
      res
        .setEncoding('utf8')
        .on('data', (chunk) => {
          text += chunk;
        })
        .on('close', () => resolve(res.complete ? { status: res.statusCode ?? 0, text } : undefined))
        .on('error', () => {});
    });
    request.on('error', () => resolve(undefined)).end(body);
  });
}

/** A client that must not order twice: retries until it gets a response. */
async function placeSurely(retried: Retried): Promise<Order> {
  for (;;) {
    const response = await attempt(retried);
    if (response?.status === 201) return JSON.parse(response.text);
    // 503 means retry, as when the database has no CPU.
    if (response && response.status !== 409 && response.status !== 503)
      throw new Error(`${response.status} ${response.text}`);
  }
}

describe.each(engines)('connections that drop at random on $name', (engine) => {
  const service = useService(engine);

  it('64 clients that retry with their keys: every key placed exactly one order', async () => {
    const { client, store } = await openClient(service());
    await client('PATCH /v2/pets/1', { body: { stock: 1_000_000 } });
    const units = await unitsOf(client);
    await using proxy = await startCuttingProxy(service().port, seeded(4));
    const agent = new Agent({ keepAlive: true });
    const placed = await Promise.all(
      Array.from({ length: 64 }, async (_, i) => {
        const orders: Order[] = [];
        for (let n = 0; n < 4; n++) {
          // Two clients share each key, like a user who clicks twice.
          const idempotencyKey = `order ${i >> 1} ${n}`;
          orders.push(await placeSurely({ agent, port: proxy.port, key: store.key, idempotencyKey }));
        }
        return orders;
      }),
    );
    agent.destroy();

    const ids = new Set(placed.flat().map(({ id }) => id));
    expect(ids.size).toBe(32 * 4);
    for (let i = 0; i < 64; i += 2) expect(placed[i]).toEqual(placed[i + 1]);
    expect(await allOrders(client)).toHaveLength(40 + 32 * 4);
    expect(await unitsOf(client)).toEqual(units);
    expect(proxy.cuts.onTheWay).toBeGreaterThan(20);
    expect(proxy.cuts.onTheWayBack).toBeGreaterThan(20);
  });
});
