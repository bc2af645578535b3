import type { Database } from '../database/engine.ts';
import type { Quotas } from '../quotas.ts';
import type { Writer } from '../writer/writer.ts';
import type { Cursors } from './pages/cursor.ts';
import type { AnswerPage } from './pages/page-answer.ts';
import type { RequestClock } from './server/answer.ts';

export interface Services {
  readonly db: Database;
  readonly writer: Writer;
  readonly momentOf: RequestClock;
  /** The time, whatever moment a request prefers. */
  readonly clock: () => number;
  readonly quotas: Quotas;
  /** The idempotency keys, each with its store, of the orders that are being placed. */
  readonly keysUnderWay: Set<string | symbol>;
  readonly cursors: Cursors;
  readonly answerPage: AnswerPage;
}
