import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

export interface ClaimWork {
  readonly name: string;
  /** Who claims; whoever holds the claim may prolong it. */
  readonly holder: string;
  readonly at: bigint;
  /** When the claim ends by itself, for whoever dies holding it. */
  readonly until: bigint;
}

/** Lets one replica at a time do some work: true for the one that holds the claim now. */
export async function claimWork(tx: Transaction, { name, holder, at, until }: ClaimWork): Promise<boolean> {
  const claimed = await tx.all(claim, {
    name: `work: ${name}`,
    value: `${moment(until)} ${holder}`,
    now: moment(at),
    own: `% ${holder}`,
  });
  return claimed.length > 0;
}

/** As text of one length, moments compare as the numbers do. */
const moment = (at: bigint) => String(at).padStart(20, '0');

const claim = query((db, p: { name: string; value: string; now: string; own: string }) =>
  db
    .insertInto('secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: p.value })
        .where((eb) => eb.or([eb('secrets.value', '<', p.now), eb('secrets.value', 'like', p.own)])),
    )
    .returning('name'),
);
