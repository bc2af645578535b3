import type { Job, Piece } from '../background.ts';
import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const MOST_IN_A_CHANGE = 500;

/** Remembers when keys were last used, and writes it down in groups: no request costs a write. */
export class KeyUse implements Job {
  readonly name = 'last use of keys';
  readonly restMs = 30_000;
  readonly #writer: Writer;
  #used = new Map<string, number>();
  #beingWritten: ReadonlyMap<string, number> = new Map();
  /** Set by whoever starts the job. The first use of a key is written at once: somebody may look for it. */
  wake = () => {};

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  note(keyId: string, at: number, isFirst = false): void {
    this.#used.set(keyId, at);
    if (isFirst) this.wake();
  }

  /** How to tell the last use from the one that is written down. To be called before that is read: it may be written meanwhile. */
  recent(): (keyId: string, written: bigint | null) => bigint | null {
    const [used, beingWritten] = [this.#used, this.#beingWritten];
    return (keyId, written) => {
      const at = used.get(keyId) ?? beingWritten.get(keyId);
      if (at === undefined || (written !== null && written >= at)) return written;
      return BigInt(at);
    };
  }

  run = (_: AbortSignal, piece: Piece) => this.#write(piece);
  finish = (piece: Piece) => this.#write(piece);

  async #write(piece: Piece): Promise<void> {
    this.#beingWritten = this.#used;
    this.#used = new Map();
    const uses = Array.from(this.#beingWritten, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    // Always in the same order, so that two replicas never wait for each other's rows.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += MOST_IN_A_CHANGE) {
      const some = uses.slice(first, first + MOST_IN_A_CHANGE);
      await piece(() => this.#writer.apply(recordKeyUse, { uses: some }));
    }
    this.#beingWritten = new Map();
  }
}

export const recordKeyUse = verb(
  'recordKeyUse',
  async (tx, { uses }: { uses: ReadonlyArray<{ keyId: string; at: bigint }> }): Promise<void> => {
    for (const { keyId, at } of uses) await tx.all(saveUse, { keyId, at });
  },
);

const saveUse = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ last_used_at: p.at })
    .where('id', '=', p.keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.at)])),
);
