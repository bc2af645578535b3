import type { Job } from '../background.ts';
import type { Writer } from '../writer/writer.ts';
import { countRequests } from './count-attempts.ts';

const MINUTE_MS = 60_000;
const MOST_IN_A_CHANGE = 500;

interface Count {
  /** Requests of all replicas, as of the last exchange with the database. */
  known: number;
  untold: number;
}

export interface RequestCountsOptions {
  readonly writer: Writer;
  readonly perMinute: number;
  /** Pseudonymises a client before it is stored. */
  readonly seal: (who: string) => string;
  readonly now: () => number;
}

/** Counts requests by store and minute, in memory; once a second, all replicas add up their counts in the database. */
export class RequestCounts implements Job {
  readonly name = 'counts of requests';
  readonly restMs = 1_000;
  readonly perMinute: number;
  readonly #options: RequestCountsOptions;
  #minute = 0;
  #counts = new Map<string, Count>();

  constructor(options: RequestCountsOptions) {
    this.#options = options;
    this.perMinute = options.perMinute;
  }

  take(who: string): { isAllowed: boolean; left: number; resetSeconds: number } {
    const now = this.#options.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const count = this.#counts.get(who) ?? { known: 0, untold: 0 };
    this.#counts.set(who, count);
    const isAllowed = count.known + count.untold < this.perMinute;
    if (isAllowed) count.untold++;
    return {
      isAllowed,
      left: Math.max(0, this.perMinute - count.known - count.untold),
      resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - now) / 1000),
    };
  }

  async run(): Promise<void> {
    const { writer, seal } = this.#options;
    const minute = this.#minute;
    const ends_at = BigInt((minute + 1) * MINUTE_MS);
    const told = Array.from(this.#counts)
      .filter(([, { untold }]) => untold > 0)
      .map(([who, count]) => ({ bucket: seal(`requests ${who} ${minute}`), count, told: count.untold }));
    for (let first = 0; first < told.length; first += MOST_IN_A_CHANGE) {
      const some = told.slice(first, first + MOST_IN_A_CHANGE);
      const counts = some.map(({ bucket, told }) => ({ bucket, count: BigInt(told), ends_at }));
      const totals = await writer.apply(countRequests, { counts });
      for (const [index, { count, told }] of some.entries()) {
        count.untold -= told;
        count.known = Number(totals[index]);
      }
    }
  }

  finish = () => this.run();
}
