import { ApiError } from '../http/errors.ts';
import type { Guard, Request } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { countRequests } from './count-attempts.ts';

const MINUTE_MS = 60_000;
const MAX_PER_CHANGE = 500;

interface Count {
  /** Requests of all replicas, as of the last exchange with the database. */
  known: number;
  unsynced: number;
}

interface Options {
  readonly writer: Writer;
  readonly perMinute: number;
  /** Pseudonymises a client before it is stored. */
  readonly seal: (who: string) => string;
  readonly now: () => number;
}

export type RequestCounts = ReturnType<typeof openRequestCounts>;

/** Counts requests by tenant and minute, in memory; once a second, all replicas add up their counts in the database. */
export function openRequestCounts({ writer, perMinute, seal, now }: Options) {
  let minute = 0;
  let counts = new Map<string, Count>();

  async function run(): Promise<void> {
    const ends_at = BigInt((minute + 1) * MINUTE_MS);
    const unsent = Array.from(counts)
      .filter(([, { unsynced }]) => unsynced > 0)
      .map(([who, count]) => ({ bucket: seal(`requests ${who} ${minute}`), count, more: count.unsynced }));
    for (let first = 0; first < unsent.length; first += MAX_PER_CHANGE) {
      const some = unsent.slice(first, first + MAX_PER_CHANGE);
      const added = some.map(({ bucket, more }) => ({ bucket, count: BigInt(more), ends_at }));
      const totals = await writer.apply(countRequests, { counts: added });
      for (const [index, { count, more }] of some.entries()) {
        count.unsynced -= more;
        count.known = Number(totals[index]);
      }
    }
  }

  return {
    name: 'counts of requests',
    restMs: 1_000,
    perMinute,
    run,
    finish: run,
    take(who: string) {
      const at = now();
      const present = Math.floor(at / MINUTE_MS);
      if (present !== minute) {
        minute = present;
        counts = new Map();
      }
      const count = counts.get(who) ?? { known: 0, unsynced: 0 };
      counts.set(who, count);
      const isAllowed = count.known + count.unsynced < perMinute;
      if (isAllowed) count.unsynced++;
      return {
        isAllowed,
        left: Math.max(0, perMinute - count.known - count.unsynced),
        resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - at) / 1000),
      };
    },
  };
}

export function limitRate(counts: RequestCounts, who: (request: Request) => string): Guard {
  const policy = `"default";q=${counts.perMinute};w=60`;
  return (request) => {
    const { isAllowed, left, resetSeconds } = counts.take(who(request));
    const reset = String(resetSeconds);
    request.responseHeaders.push('ratelimit-policy', policy, 'ratelimit', `"default";r=${left};t=${reset}`);
    if (!isAllowed) throw new ApiError('rate_limited', undefined, ['retry-after', reset]);
  };
}

/** Counts all keys of a store together, also after a reset. */
export function tenantCountedAs(tenantId: bigint): string {
  return `tenant ${tenantId}`;
}
