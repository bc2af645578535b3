import type pg from 'pg';
import { closeInTime, connectClient } from '../database/postgres-connection.ts';
import type { Reached } from './transaction.ts';
import type { OnCommit } from './writer.ts';

const CHANNEL = 'petstore_commits';
const RETRY_MS = 500;
/** Stores in one message; PostgreSQL takes 8,000 bytes of it. */
const MOST_STORES = 100;

/**
 * Tells all replicas by NOTIFY what stores have reached. Before `listen` and while the connection is lost, nothing is
 * sent or heard: these are hints, and listeners also look for themselves now and then.
 */
export function commitChannel(url: string, hear: OnCommit) {
  const unsent = new Map<bigint, bigint>();
  let connecting: Promise<void> | undefined;
  let client: pg.Client | undefined;
  let sending: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    let opened: pg.Client | undefined;
    try {
      opened = await connectClient(url);
      opened.on('notification', ({ payload = '' }) => hear(reachedIn(payload)));
      opened.on('end', connectAgain);
      await opened.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
      client = opened;
    } catch {
      if (opened) await closeInTime(opened);
      connectAgain();
    }
  }

  function connectAgain(): void {
    client = undefined;
    clearTimeout(retry);
    if (isClosed) return;
    retry = setTimeout(() => {
      connecting = connect();
    }, RETRY_MS).unref();
  }

  /** NOTIFY in the transaction of a change would make all commits wait for each other. */
  async function sendAll(to: pg.Client): Promise<void> {
    while (unsent.size > 0) {
      const sent = [...unsent].slice(0, MOST_STORES);
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
      connecting ??= connect();
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
      isClosed = true;
      clearTimeout(retry);
      await connecting;
      await sending;
      if (client) await closeInTime(client);
    },
  };
}

function reachedIn(payload: string): Reached {
  const pairs = payload.matchAll(/(\d{1,19}) (\d{1,19})/g);
  return new Map(Array.from(pairs, ([, storeId = '', revision = '']) => [BigInt(storeId), BigInt(revision)]));
}
