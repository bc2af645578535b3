import type { Transaction } from '../changes/transaction.ts';
import type { Writer } from '../changes/writer.ts';
import { query } from '../database/query.ts';

/** A use is written down at most this long after it happened. */
const FLUSH_MS = 30_000;
const MOST_IN_A_CHANGE = 500;

interface Use {
  readonly keyId: string;
  readonly at: bigint;
}

/** When keys were last used, without a write for each request: remembered here, written in groups. */
export class KeyUse {
  readonly #writer: Writer;
  readonly #onFailure: (error: unknown) => void;
  #used = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Writer, onFailure: (error: unknown) => void) {
    this.#writer = writer;
    this.#onFailure = onFailure;
  }

  note(keyId: string, at: number): void {
    this.#used.set(keyId, at);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  /** A use that is not written down yet. */
  latest(keyId: string): bigint | undefined {
    const at = this.#used.get(keyId);
    return at === undefined ? undefined : BigInt(at);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const uses = Array.from(this.#used, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    this.#used = new Map();
    // Always in the same order, so that two replicas never wait for each other's rows.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += MOST_IN_A_CHANGE) {
      const some = uses.slice(first, first + MOST_IN_A_CHANGE);
      await this.#writer.apply('recordKeyUse', { uses: some, at: 0n }).catch(this.#onFailure);
    }
  }
}

/** Writes down when keys were last used, unless a later use is already known. */
export async function recordKeyUse(
  tx: Transaction,
  { uses }: { uses: readonly Use[]; at: bigint },
): Promise<void> {
  for (const { keyId, at } of uses) await tx.all(saveUse, { keyId, at });
}

const saveUse = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ last_used_at: p.at })
    .where('id', '=', p.keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.at)])),
);
