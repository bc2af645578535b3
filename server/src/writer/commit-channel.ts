import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeWithTimeout, connectClient } from '../database/postgres.ts';
import type { NewRevisions } from './verb.ts';
import type { OpenWriter } from './writer.ts';

const CHANNEL = 'petstore_commits';
const RETRY_MS = 500;
/** Stores per message: PostgreSQL limits a payload to 8,000 bytes. */
const MAX_STORES = 100;

/**
 * Notifies all replicas of commits, with NOTIFY. Best effort: notifications are lost while the connection is down, so
 * listeners also poll. A process that does not listen has no connection, and sends none.
 */
export function commitChannel(url: string, onNotification: OpenWriter['notify']) {
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
    await using resources = new AsyncDisposableStack();
    const opened = await connectClient(url);
    resources.defer(() => closeWithTimeout(opened));
    opened.on('notification', ({ payload = '' }) => onNotification(parsePayload(payload)));
    await opened.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
    client = opened;
    resources.defer(() => {
      client = undefined;
    });
    await once(opened, 'end', { signal });
  }

  /** Outside the transactions of changes: NOTIFY in them would serialize all commits. */
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
    /** Commits that arrive while a message is being sent share the next one. */
    send(revisions: NewRevisions): void {
      if (!client) return;
      for (const [storeId, revision] of revisions) unsent.set(storeId, revision);
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

function parsePayload(payload: string): NewRevisions {
  const pairs = payload.matchAll(/(\d{1,19}) (\d{1,19})/g);
  return new Map(Array.from(pairs, ([, storeId = '', revision = '']) => [BigInt(storeId), BigInt(revision)]));
}
