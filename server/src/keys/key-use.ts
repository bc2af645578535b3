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
  /** Those that are being written down. */
  #writing: ReadonlyMap<string, number> = new Map();
  /** Writes at once what somebody may look for: that a key is used at all. */
  wake = () => {};

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  note(keyId: string, at: number, isFirst = false): void {
    this.#used.set(keyId, at);
    if (isFirst) this.wake();
  }

  /** A use that is not written down yet. */
  latest(keyId: string): bigint | undefined {
    const at = this.#used.get(keyId) ?? this.#writing.get(keyId);
    return at === undefined ? undefined : BigInt(at);
  }

  run = (_: AbortSignal, piece: Piece) => this.#write(piece);
  finish = (piece: Piece) => this.#write(piece);

  async #write(piece: Piece): Promise<void> {
    this.#writing = this.#used;
    this.#used = new Map();
    const uses = Array.from(this.#writing, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    // Always in the same order, so that two replicas never wait for each other's rows.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += MOST_IN_A_CHANGE) {
      const some = uses.slice(first, first + MOST_IN_A_CHANGE);
      await piece(() => this.#writer.apply(recordKeyUse, { uses: some }));
    }
    this.#writing = new Map();
  }
}
