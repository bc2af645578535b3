import type { Job, Piece } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import { recordKeyUse } from './record-key-use.ts';

const MOST_IN_A_CHANGE = 500;

/** When keys were last used, without a write for each request: remembered here, written in groups. */
export class KeyUse implements Job {
  readonly name = 'last use of keys';
  readonly rest = 30_000;
  readonly #writer: Writer;
  #used = new Map<string, number>();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  note(keyId: string, at: number): void {
    this.#used.set(keyId, at);
  }

  /** A use that is not written down yet. */
  latest(keyId: string): bigint | undefined {
    const at = this.#used.get(keyId);
    return at === undefined ? undefined : BigInt(at);
  }

  run = (_: AbortSignal, piece: Piece) => this.#write(piece);
  finish = (piece: Piece) => this.#write(piece);

  async #write(piece: Piece): Promise<void> {
    const uses = Array.from(this.#used, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    this.#used = new Map();
    // Always in the same order, so that two replicas never wait for each other's rows.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += MOST_IN_A_CHANGE) {
      const some = uses.slice(first, first + MOST_IN_A_CHANGE);
      await piece(() => this.#writer.apply(recordKeyUse, { uses: some }));
    }
  }
}
