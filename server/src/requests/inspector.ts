import type { Job, Piece } from '../background.ts';
import type { Exchange } from '../http/server/answer.ts';
import type { Writer } from '../writer/writer.ts';
import { type NotedRequest, notedFrom, rowOf } from './noted-request.ts';
import { MOST_REFUSED, MOST_REQUESTS, recordRequests, requestIdAt } from './record-requests.ts';

/** Of all stores together; beyond that, none is kept. */
const MOST = 4_000;
/** No other change waits long behind so many. */
const MOST_IN_A_CHANGE = 250;

/** The last requests of each store: noted here, written together once a second. */
export function openInspector(writer: Writer, now: () => number, restMs = 1_000) {
  /** Refused keys are kept apart: they never push out the others. */
  let notedOf = new Map<string, NotedRequest[]>();
  let count = 0;
  let next = Math.floor(Math.random() * 2 ** 20);

  function note(exchange: Exchange): void {
    const request = notedFrom(exchange, requestIdAt(now(), next++));
    if (!request) return;
    const name = `${request.row.store_id} ${request.isRefused}`;
    const noted = notedOf.get(name) ?? [];
    if (noted.length === (request.isRefused ? MOST_REFUSED : MOST_REQUESTS)) noted.shift();
    else if (count === MOST) return;
    else count++;
    noted.push(request);
    notedOf.set(name, noted);
  }

  async function finish(piece: Piece): Promise<void> {
    const noted = [...notedOf.values()].flat();
    notedOf = new Map();
    count = 0;
    for (let first = 0; first < noted.length; first += MOST_IN_A_CHANGE) {
      const some = noted.slice(first, first + MOST_IN_A_CHANGE);
      await piece(() => writer.apply(recordRequests, { rows: some.map(rowOf) }));
    }
  }

  const run: Job['run'] = (_, piece) => finish(piece);
  return { name: 'inspector', restMs, note, run, finish };
}
