import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeInTime, connectClient } from '../database/postgres.ts';
import type { Reached } from './verb.ts';
import type { OpenWriter } from './writer.ts';

const CHANNEL = 'petstore_commits';
const RETRY_MS = 500;
/** Stores in one message; PostgreSQL takes 8,000 bytes of it. */
const MAX_STORES = 100;

/**
 * Tells all replicas by NOTIFY what stores have reached. Nothing is sent or heard while the connection is lost, nor by a
 * process that never listens: these are hints, and listeners also look for themselves now and then.
 */
export function commitChannel(url: string, hear: OpenWriter['tell']) {
  const unsent = new Map<bigint, bigint>();
  const closing = new AbortController();
  const { signal } = closing;
  let listening: Promise<void> | undefined;
  let client: pg.Client | undefined;
  let sending: Promise<void> | undefined;

  async function stayConnected(): Promise<void> {
    while (!signal.aborted) {
      await listenUntilLost().catch(() => {});
      await sleep(RETRY_MS, undefined, { ref: false, signal }).catch(() => {});
    }
  }

  async function listenUntilLost(): Promise<void> {
    await using held = new AsyncDisposableStack();
    const opened = await connectClient(url);
    held.defer(() => closeInTime(opened));
    opened.on('notification', ({ payload = '' }) => hear(reachedIn(payload)));
    await opened.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
    client = opened;
    held.defer(() => {
      client = undefined;
    });
    await once(opened, 'end', { signal });
  }

  /** NOTIFY in the transaction of a change would make all commits wait for each other. */
  async function sendAll(to: pg.Client): Promise<void> {
    while (unsent.size > 0) {
      const sent = [...unsent].slice(0, MAX_STORES);
      for (const [storeId] of sent) unsent.delete(storeId);
      const values = [CHANNEL, sent.map((pair) => pair.join(' ')).join()];
      try {
        await to.query({ name: 'notify', text: 'SELECT pg_notify($1, $2)', values });
      } catch {
        unsent.clear();
      }
    }
  }

  return {
    listen(): void {
      listening ??= stayConnected();
    },
    /** Commits that come while a message is on its way share the next one. */
    send(reached: Reached): void {
      if (!client) return;
      for (const [storeId, revision] of reached) unsent.set(storeId, revision);
      sending ??= sendAll(client).finally(() => {
        sending = undefined;
      });
    },
    async close(): Promise<void> {
      await sending;
      closing.abort();
      await listening;
    },
  };
}

function reachedIn(payload: string): Reached {
  const pairs = payload.matchAll(/(\d{1,19}) (\d{1,19})/g);
  return new Map(Array.from(pairs, ([, storeId = '', revision = '']) => [BigInt(storeId), BigInt(revision)]));
}
