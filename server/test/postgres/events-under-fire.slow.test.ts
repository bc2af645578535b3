import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { newKey } from '../../src/keys/manage-keys.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { EVENT_KILLS } from '../support/effort.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { type EventReader, type ReadEvent, readEvents } from '../support/event-reader.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Replica, startReplica } from './support/replica.ts';

const WRITERS = 64;
const READERS = 6;
/** The minimum number of changes between two kills. */
const CHANGES = 150;

describe('three replicas on one PostgreSQL, with 64 writers', () => {
  it(`${EVENT_KILLS} kills: reconnecting readers get every event once, in order, and a webhook at least once`, {
    timeout: 300_000 + 60_000 * EVENT_KILLS,
  }, async () => {
    await using database = await postgres.create();
    const store = await newStore(database);
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(database.flags)));
    try {
      await using receiver = await startReceiver();
      const { secret } = await createWebhook(replicas, store.key, receiver.url);
      let deletedAt = 0n;
      const gone = await createWebhook(replicas, store.key, `${receiver.url}/gone`);
      const writers = startWriters(replicas, store.key);
      const readers = Array.from({ length: READERS }, () => startReader(replicas, store.key));
      for (let kill = 0; kill < EVENT_KILLS; kill++) {
        const before = writers.changes();
        while (writers.changes() < before + CHANGES) await pause(20);
        await replicas[kill % replicas.length]?.kill();
        if (kill === 0) deletedAt = await deleteWebhook(replicas, store, gone, database);
      }
      await writers.stop();
      const log = await database.rows(
        `SELECT revision, type FROM changes WHERE store_id = ${store.storeId} ORDER BY revision`,
      );
      expect(log.length).toBeGreaterThanOrEqual(EVENT_KILLS * CHANGES);
      for (const reader of readers) {
        const read = await reader.until(String(log.at(-1)?.revision));
        expect(read.map(({ id, type }) => `${id} ${type}`)).toEqual(
          log.map(({ revision, type }) => `${revision} ${type}`),
        );
        expect(new Set(read.map(({ text }) => text))).toEqual(new Set(readers[0]?.texts()));
      }
      // Another replica sends what a killed one had claimed, once the claim has expired.
      const sentTo = (path: string) => receiver.received.filter((message) => message.path === path);
      const sent = () => new Set(sentTo('/hook').map(({ body }) => JSON.parse(body).id));
      while (sent().size < log.length) await pause(50);
      expect([...sent()].sort()).toEqual(log.map(({ revision }) => String(revision)).sort());
      // The deleted one was sent some, and nothing that happened afterwards.
      const sentToDeleted = sentTo('/hook/gone').map(({ body }) => BigInt(JSON.parse(body).id));
      expect(sentToDeleted.length).toBeGreaterThan(0);
      expect(sentToDeleted.filter((id) => id > deletedAt)).toEqual([]);
      for (const { body, headers } of sentTo('/hook').slice(-100))
        expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    } finally {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    }
  });
});

async function newStore({ location }: TestDatabase): Promise<{ storeId: bigint; key: string }> {
  await using deployment = await openDeployment('production', location);
  const { key, details } = newKey('production', 'events');
  const at = BigInt(Date.now());
  const { storeId } = await deployment.writer.apply(openStore, { owner: null, key: details, at });
  return { storeId, key };
}

async function createWebhook(replicas: readonly Replica[], key: string, url: string): Promise<Created> {
  const response = await fetch(`http://127.0.0.1:${anyOf(replicas).port}/v2/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  return (await response.json()) as Created;
}

interface Created {
  readonly id: string;
  readonly secret: string;
}

/** Deletes a webhook; returns the store's revision at that time, or slightly later. */
async function deleteWebhook(
  replicas: readonly Replica[],
  { key, storeId }: { key: string; storeId: bigint },
  { id }: Created,
  database: TestDatabase,
): Promise<bigint> {
  const { status } = await fetch(`http://127.0.0.1:${anyOf(replicas).port}/v2/webhooks/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(status).toBe(204);
  const [store] = await database.rows(`SELECT revision FROM stores WHERE id = ${storeId}`);
  return store?.revision as bigint;
}

/** Clients place and cancel orders and change pets at random replicas, ignoring failures. */
function startWriters(replicas: readonly Replica[], key: string) {
  let over = false;
  let changes = 0;
  const send = async (method: string, path: string, body?: object): Promise<{ id?: number }> => {
    const { port } = anyOf(replicas);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) changes++;
      return response.ok && text !== '' ? JSON.parse(text) : {};
    } catch {
      await pause(20);
      return {};
    }
  };
  const work = async (i: number) => {
    while (!over) {
      const { id } = await send('POST', '/store/orders', { petId: 1 + (i % 12), quantity: 1 });
      // Two at once: one is rejected, and uses up no number.
      if (id !== undefined) await Promise.all([1, 2].map(() => send('DELETE', `/store/orders/${id}`)));
      await send('PATCH', `/pets/${1 + (i % 12)}`, { stock: 50 });
    }
  };
  const all = Array.from({ length: WRITERS }, (_, i) => work(i));
  return {
    changes: () => changes,
    async stop() {
      over = true;
      await Promise.all(all);
    },
  };
}

/** Reads from the beginning, disconnects at random, and resumes on another replica. */
function startReader(replicas: readonly Replica[], key: string) {
  const seen: ReadEvent[] = [];
  let last = '';
  let current: EventReader | undefined;
  const read = async () => {
    while (last === '' || seen.at(-1)?.id !== last) {
      try {
        const resumed = seen.at(-1)?.id;
        using reader = await readEvents(anyOf(replicas), {
          key,
          after: '0',
          lastEventId: resumed,
          onEvent: (event) => seen.push(event),
        });
        current = reader;
        await Promise.race([reader.ended, pause(200 + Math.random() * 1500), hasArrived(reader)]);
        // What arrives after it has left was not seen.
        reader.response.removeAllListeners('data');
      } catch {
        await pause(50);
      }
    }
  };
  const hasArrived = async (reader: EventReader) => {
    while (last === '' || seen.at(-1)?.id !== last) await reader.waitForEvents(reader.events.length + 1);
  };
  const done = read();
  return {
    texts: () => seen.map(({ text }) => text),
    async until(id: string): Promise<readonly ReadEvent[]> {
      last = id;
      if (seen.at(-1)?.id === id) current?.[Symbol.dispose]();
      await done;
      return seen;
    },
  };
}

function anyOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}
