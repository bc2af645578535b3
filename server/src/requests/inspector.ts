import type { Job, Piece } from '../background.ts';
import type { Exchange } from '../http/server/answer.ts';
import type { Writer } from '../writer/writer.ts';
import { type NotedRequest, notedFrom, rowOf } from './noted-request.ts';
import { MOST_REFUSED, MOST_REQUESTS, recordRequests, requestIdAt } from './record-requests.ts';

/** Of all stores together; beyond that, none is kept. */
const MOST = 4_000;
/** No other change waits long behind so many. */
const MOST_IN_A_CHANGE = 250;
export const KEPT_MS = 86_400_000;

/** The last requests of each store: noted here, written together once a second. */
export class Inspector implements Job {
  readonly name = 'inspector';
  readonly restMs: number;
  readonly #writer: Writer;
  readonly #now: () => number;
  /** Refused keys are kept apart: they never push out the others. */
  #noted = new Map<string, NotedRequest[]>();
  #count = 0;
  #next = Math.floor(Math.random() * 2 ** 20);

  constructor(writer: Writer, now: () => number, restMs = 1_000) {
    this.#writer = writer;
    this.#now = now;
    this.restMs = restMs;
  }

  note(exchange: Exchange): void {
    const request = notedFrom(exchange, this.#now());
    if (!request) return;
    const name = `${request.noted.store_id} ${request.isRefused}`;
    const noted = this.#noted.get(name) ?? [];
    if (noted.length === (request.isRefused ? MOST_REFUSED : MOST_REQUESTS)) noted.shift();
    else if (this.#count === MOST) return;
    else this.#count++;
    noted.push(request);
    this.#noted.set(name, noted);
  }

  run = (_: AbortSignal, piece: Piece) => this.finish(piece);

  async finish(piece: Piece): Promise<void> {
    const noted = [...this.#noted.values()].flat();
    this.#noted = new Map();
    this.#count = 0;
    for (let first = 0; first < noted.length; first += MOST_IN_A_CHANGE) {
      await piece(async () => {
        const rows = noted
          .slice(first, first + MOST_IN_A_CHANGE)
          .map((request) => rowOf(request, requestIdAt(request.at, this.#next++)));
        await this.#writer.apply(recordRequests, { rows });
      });
    }
  }
}
