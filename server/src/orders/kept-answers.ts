import type { Connection } from '../database/engine.ts';
import { query, valuesOf } from '../database/query.ts';
import { Refusal, type RefusalCode } from '../refusal.ts';
import type { Order } from './order.ts';

/** The answer to a placement, kept under its idempotency key whether the order was placed or not. */
export type Placement = { readonly order: Order } | { readonly refused: RefusalCode };

type KeyedRequest = { storeId: bigint; key: string; fingerprint: string; askedAt: bigint };

const KEPT_MS = 86_400_000n;

export async function findAnswer(
  connection: Connection,
  { storeId, key, fingerprint, askedAt }: KeyedRequest,
): Promise<Placement | undefined> {
  const [kept] = await connection.all(findKept, { storeId, key, askedAt });
  if (kept && kept.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  return kept && readAnswer(kept.answer);
}

/** A store numbers its answers: the smallest number is the oldest answer. */
export async function keepAnswer(
  connection: Connection,
  request: KeyedRequest,
  placement: Placement,
  number: bigint,
): Promise<void> {
  const expires_at = request.askedAt + KEPT_MS;
  await connection.all(insertAnswer, { ...request, number, answer: writeAnswer(placement), expires_at });
}

/** Integers as text: an order's ids go beyond what JSON numbers keep in JavaScript. */
function writeAnswer(placement: Placement): string {
  return JSON.stringify(placement, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function readAnswer(text: string): Placement {
  return JSON.parse(text, (_, value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value));
}

const findKept = query((db, p: { storeId: bigint; key: string; askedAt: bigint }) =>
  db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer'])
    .where('store_id', '=', p.storeId)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.askedAt),
);

type KeptAnswer = KeyedRequest & { answer: string; number: bigint; expires_at: bigint };

/** In the place of one that has expired and was not pruned yet. */
const insertAnswer = query((db, p: KeptAnswer) => {
  const answer = valuesOf(p, ['fingerprint', 'answer', 'number', 'expires_at']);
  return db
    .insertInto('idempotency')
    .values({ store_id: p.storeId, key: p.key, ...answer })
    .onConflict((conflict) => conflict.columns(['store_id', 'key']).doUpdateSet(answer));
});
