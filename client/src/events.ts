import { ConnectionError, PetStoreError } from './errors.ts';
import { readEventStream, type StreamedMessage } from './event-stream.ts';
import { type Exchange, invalidResponse } from './exchange.ts';
import { parseJson } from './json.ts';
import { isTransient, type RetryPolicy, retryDelayOf, writeLog } from './send.ts';
import { callAfter, requireTime, sleep } from './time.ts';
import type { Event, Message } from './types.generated.ts';

/** An event of a type that this client does not know yet; `name` is the type in the service. */
export interface UnknownEvent {
  readonly id: string;
  readonly type: 'unknown';
  readonly name: string;
  readonly at: string;
  readonly data: unknown;
}

export type StoreEvent = Event | UnknownEvent;

/** A webhook message: an event or a test message. */
export type StoreMessage = Message | UnknownEvent;

export interface EventOptions {
  /** Starts after this event; `0` for all stored events. Default: from now on. */
  readonly after?: string | bigint | number | undefined;
  /** Ends the stream, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without bytes after which the stream is dead: the service sends a comment every 15 seconds. */
  readonly silence?: number | undefined;
}

export type Events = (options?: EventOptions) => AsyncGenerator<StoreEvent, void, undefined>;

const path = '/v2/store/events/stream';

/** All events, once and in order. Reconnects after the last received event. */
export function eventsOf(exchange: Exchange, retryPolicy: RetryPolicy): Events {
  return async function* events({ after, signal, silence = 45_000 } = {}) {
    requireTime('silence', silence);
    let last = after === undefined ? undefined : String(after);
    let wasOpen = false;
    let failures = 0;
    for (;;) {
      let isEmpty = true;
      try {
        for await (const { id, data } of openStream(
          exchange,
          last,
          retryPolicy.tryTimeout,
          silence,
          signal,
        )) {
          isEmpty = false;
          wasOpen = true;
          failures = 0;
          if (id !== undefined && last !== undefined && !isAfter(id, last)) continue;
          if (id !== undefined) last = id;
          if (data !== undefined) yield readEvent(data);
        }
        if (isEmpty) throw new ConnectionError('The stream ended immediately.', { code: 'invalid_answer' });
      } catch (error) {
        signal?.throwIfAborted();
        const known = error instanceof PetStoreError ? error : undefined;
        // A read has no effect that could be unknown.
        if (known) known.mayBeDone = false;
        const isOver = known && !isTransient(known);
        if (isOver || (!wasOpen && failures >= retryPolicy.retries)) throw error;
        failures += 1;
        const ms = retryDelayOf(failures, known?.retryAfter, retryPolicy.retryDelay);
        writeLog(retryPolicy, {
          type: 'retry',
          method: 'GET',
          path,
          attempt: failures + 1,
          ms,
          ...(known && { error: known }),
        });
        await sleep(ms, signal);
        continue;
      }
      await sleep(retryDelayOf(1, undefined, retryPolicy.retryDelay), signal);
    }
  };
}

async function* openStream(
  exchange: Exchange,
  last: string | undefined,
  ms: number,
  silence: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamedMessage, void, undefined> {
  const stalled = new AbortController();
  const both = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const headers = {
    accept: 'text/event-stream',
    ...(last === undefined ? {} : { 'last-event-id': last }),
  };
  const call = { method: 'GET', path, headers };
  const body = await exchange(call, { ms, signal: both }, async (response) => {
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.body && isStream) return response.body;
    await response.body?.cancel();
    throw invalidResponse('The response is not an event stream.', response);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resetTimer = () => {
    clearTimeout(timer);
    timer = callAfter(silence, () => stalled.abort());
  };
  resetTimer();
  try {
    yield* readEventStream(body, resetTimer);
  } finally {
    clearTimeout(timer);
    stalled.abort();
  }
}

const isAfter = (id: string, last: string) =>
  [id, last].every((text) => /^\d+$/.test(text)) ? BigInt(id) > BigInt(last) : id !== last;

function readEvent(data: string): StoreEvent {
  try {
    return toMessage(parseJson(data)) as StoreEvent;
  } catch {
    throw new PetStoreError('An event is not JSON.', { code: 'invalid_answer' });
  }
}

const knownTypes: Readonly<Record<Message['type'], true>> = {
  'order.placed': true,
  'order.shipped': true,
  'order.delivered': true,
  'order.cancelled': true,
  'pet.created': true,
  'pet.changed': true,
  'store.reset': true,
  'webhook.test': true,
};

/** Changes a type that this client does not know to `unknown`, so that `type` still discriminates the union. */
export function toMessage(value: unknown): StoreMessage {
  const { type } = Object(value) as { type?: unknown };
  if (typeof type !== 'string') throw new TypeError('an event has a type');
  if (Object.hasOwn(knownTypes, type)) return value as Message;
  return { ...(value as UnknownEvent), type: 'unknown', name: type };
}
