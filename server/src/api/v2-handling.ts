import type { Database } from '../database/engine.ts';
import type { EventHub } from '../events/event-hub.ts';
import { etagOf, isNotModified } from '../http/content/conditional.ts';
import { parseInt64 } from '../http/content/int64.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { Cursors } from '../http/pages/cursor.ts';
import type { Answer } from '../http/server/answer.ts';
import type { Moment } from '../http/server/guard.ts';
import type { Request } from '../http/server/request.ts';
import type { Quotas } from '../quotas.ts';
import type { Writer } from '../writer/writer.ts';

/** What may be set of streams of events. */
export interface StreamLimits {
  /** Between two signs of life, in milliseconds. */
  readonly heartbeat: number;
  /** Streams that may be open at once: of one store, and in all. */
  readonly mostOfStore: number;
  readonly most: number;
  /** How often it is asked how far stores have come, for commits that nobody told of, in milliseconds. */
  readonly poll: number;
}

export const usualStreams: StreamLimits = { heartbeat: 10_000, mostOfStore: 100, most: 10_000, poll: 1_000 };

export interface V2Options {
  readonly db: Database;
  readonly writer: Writer;
  readonly now: Moment;
  /** The time on the clock, whatever moment a request prefers. */
  readonly clock: () => number;
  readonly cursors: Cursors;
  readonly hub: EventHub;
  readonly streams: StreamLimits;
  readonly webhooks: {
    /** Whether events may also be sent to addresses that are not public. */
    readonly allowPrivate: boolean;
    /** Those who send: told that there is something to send, or that a webhook is gone. */
    readonly jobs: { wake(): void; forget(webhookId: string): void };
  };
  /** Calls this when the service is about to stop. */
  readonly onStop: (stop: () => void) => void;
  readonly quotas: Quotas;
}

/** The id in the path; what is no id names nothing. */
export function idOf(request: Request, name: string): bigint {
  const id = parseInt64((request.params as Record<string, string>)[name] ?? '');
  if (id === undefined) throw new ApiError('not_found');
  return id;
}

/** Tags the answer with the store's revision; 304 if the client has it already. */
export function notModified(request: Request): Answer | undefined {
  const etag = etagOf(callerOf(request));
  request.answerHeaders.push('etag', etag);
  return isNotModified(request.headers, etag) ? { status: 304 } : undefined;
}
