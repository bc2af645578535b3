import type { Connection } from '../database/engine.ts';
import type { Job, Piece } from '../writer/background.ts';
import type { Writer } from '../writer/writer.ts';
import {
  anyRequestBefore,
  forgetRequests,
  MOST_REFUSED,
  MOST_REQUESTS,
  type RequestRow,
  recordRequests,
  requestIdAt,
} from './record-requests.ts';

/** Requests of all stores together; of those that come when there are so many, none is kept. */
const MOST = 4_000;
/** Rows of one change: each is short, so that no other change waits long behind it. */
const MOST_IN_A_CHANGE = 250;
export const KEPT_MS = 86_400_000;
const FORGET_MS = 60_000;

interface Noted {
  readonly storeId: bigint;
  readonly at: number;
  /** Whether its key does not work, or not any more. */
  readonly isRefused: boolean;
}

/** The last requests of one store; once there are as many as are kept, each takes the place of the oldest. */
interface Ring<T> {
  readonly kept: T[];
  oldest: number;
}

export interface InspectorOptions<T> {
  readonly db: Connection;
  readonly writer: Writer;
  readonly now: () => number;
  readonly rest?: number | undefined;
  /** Makes of what was noted what is written down. */
  readonly rowOf: (noted: T) => Omit<RequestRow, 'id'>;
}

/** The last requests of each store: remembered here without any work, written together once a second. */
export class Inspector<T extends Noted> implements Job {
  readonly name = 'inspector';
  readonly rest: number;
  readonly #options: InspectorOptions<T>;
  /** Those with a key that was refused apart: they never push out the others. */
  #rings = new Map<string, Ring<T>>();
  #count = 0;
  #next = Math.floor(Math.random() * 2 ** 20);
  #forgotAt = 0;

  constructor(options: InspectorOptions<T>) {
    this.#options = options;
    this.rest = options.rest ?? 1_000;
  }

  note(request: T): void {
    const { storeId, isRefused } = request;
    const name = `${storeId} ${isRefused}`;
    const most = isRefused ? MOST_REFUSED : MOST_REQUESTS;
    let ring = this.#rings.get(name);
    if (ring?.kept.length === most) {
      ring.kept[ring.oldest] = request;
      ring.oldest = (ring.oldest + 1) % most;
      return;
    }
    if (this.#count >= MOST) return;
    if (!ring) {
      ring = { kept: [], oldest: 0 };
      this.#rings.set(name, ring);
    }
    ring.kept.push(request);
    this.#count++;
  }

  async run(_: AbortSignal, piece: Piece): Promise<void> {
    await this.#write(piece);
    await piece(() => this.#forget());
  }

  finish = (piece: Piece) => this.#write(piece);

  async #write(piece: Piece): Promise<void> {
    const { writer, rowOf } = this.#options;
    const rings = this.#rings;
    this.#rings = new Map();
    this.#count = 0;
    const noted = [...rings.values()].flatMap(({ kept, oldest }) => [
      ...kept.slice(oldest),
      ...kept.slice(0, oldest),
    ]);
    for (let first = 0; first < noted.length; first += MOST_IN_A_CHANGE) {
      await piece(async () => {
        const rows = noted
          .slice(first, first + MOST_IN_A_CHANGE)
          .map((request) => ({ ...rowOf(request), id: requestIdAt(request.at, this.#next++) }));
        await writer.apply(recordRequests, { rows });
      });
    }
  }

  async #forget(): Promise<void> {
    const { db, writer, now } = this.#options;
    if (now() - this.#forgotAt < FORGET_MS) return;
    this.#forgotAt = now();
    const before = now() - KEPT_MS;
    const found = await db.all(anyRequestBefore, { id: requestIdAt(before, 0) });
    if (found.length > 0) await writer.apply(forgetRequests, { before: BigInt(before) });
  }
}
