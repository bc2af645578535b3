import type { Logger } from 'pino';
import type { Exchange } from '../http/observe/exchange.ts';
import { requestLog } from '../http/observe/request-log.ts';
import type { Observers } from '../http/server/answer.ts';
import { type Inspected, inspectedFrom } from '../requests/inspected.ts';

export interface ObserversOptions {
  readonly log: Logger;
  readonly count: (exchange: Exchange) => void;
  readonly inspector: { note(inspected: Inspected): void } | undefined;
  readonly keyUse: { note(keyId: string, at: number, isFirst: boolean): void };
  readonly now: () => number;
}

/** All who are told of every exchange: the log, the metrics, the inspector, and when a key was last used. */
export function openObservers({ log, count, inspector, keyUse, now }: ObserversOptions): Observers {
  const write = requestLog(log);
  return {
    finished(exchange) {
      const at = now();
      write(exchange);
      count(exchange);
      const inspected = inspector && inspectedFrom(exchange, at);
      if (inspected) inspector.note(inspected);
      if (exchange.caller) keyUse.note(exchange.caller.keyId, at, exchange.caller.lastUsedAt === null);
    },
    cutOff: ({ id }, error) => log.error({ id, err: error }, 'an answer was cut off'),
  };
}
