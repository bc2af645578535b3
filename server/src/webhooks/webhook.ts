import type { Kysely } from 'kysely';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { type EventType, eventTypes } from '../vocabulary.ts';

/** A webhook as its owner may see it: without its secret. */
export interface Webhook {
  id: string;
  url: string;
  /** Separated by commas; all of them, those to come included, if it is empty. */
  types: string;
  active: bigint;
  created_at: bigint;
}

export const webhookColumns = ['id', 'url', 'types', 'active', 'created_at'] as const;

export function typesOf({ types }: Pick<Webhook, 'types'>): readonly EventType[] {
  return types === '' ? eventTypes : (types.split(',') as EventType[]);
}

const ofStore = (db: Kysely<Schema>, storeId: bigint) =>
  db.selectFrom('webhooks').select(webhookColumns).where('store_id', '=', storeId);

export const listWebhooks = query((db, p: { storeId: bigint }) =>
  ofStore(db, p.storeId).orderBy('created_at').orderBy('id'),
);

export async function findWebhook(
  db: Connection,
  which: { storeId: bigint; webhookId: string },
): Promise<Webhook | undefined> {
  const [webhook] = await db.all(readWebhook, which);
  return webhook;
}

const readWebhook = query((db, p: { storeId: bigint; webhookId: string }) =>
  ofStore(db, p.storeId).where('id', '=', p.webhookId),
);
