import type { Logger } from 'pino';
import { requestLog } from '../http/observe/request-log.ts';
import type { Exchange } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';

export interface ObserversOptions {
  readonly log: Logger;
  readonly addressOf: ((request: Request) => string) | undefined;
  readonly count: (exchange: Exchange) => void;
  readonly inspector: { note(exchange: Exchange): void } | undefined;
  readonly keyUse: { note(keyId: string, at: number, isFirst: boolean): void };
  readonly now: () => number;
}

export function openObservers(options: ObserversOptions): (exchange: Exchange) => void {
  const { log, addressOf, count, inspector, keyUse, now } = options;
  const write = requestLog(log, addressOf);
  return (exchange) => {
    const { caller } = exchange.request;
    write(exchange);
    count(exchange);
    inspector?.note(exchange);
    if (caller) keyUse.note(caller.keyId, now(), caller.lastUsedAt === null);
  };
}
