import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './http.ts';
import { Mismatch } from './mismatch.ts';

/** One server-sent event, by the names of its fields. */
type StreamEvent = { id?: string; event?: string; data?: string };

type Reading = {
  path: string;
  headers?: Record<string, string>;
  /** How many events to wait for. */
  count: number;
  /** Called once the stream is open. */
  onOpen?: () => Promise<unknown>;
  /** Called with the number of events read so far: 0 once the stream is open, then whenever it has grown. */
  onEvents?: (count: number) => Promise<unknown>;
};

const timeoutMs = 10_000;

/** Opens a stream of version 2, reads `count` events with data, and closes it. */
export async function readStream(client: Client, reading: Reading) {
  const { path, headers = {}, count, onOpen, onEvents } = reading;
  const request = `GET ${client.v2}${path}`;
  const closing = new AbortController();
  const timer = setTimeout(() => closing.abort(), timeoutMs);
  const events: StreamEvent[] = [];
  try {
    const response = await fetch(new URL(client.v2 + path, client.base), {
      headers: { Authorization: `Bearer ${client.key}`, ...headers },
      signal: closing.signal,
    });
    const seen = {
      request,
      status: response.status,
      type: response.headers.get('Content-Type') ?? '',
      events,
      text: '',
    };
    if (response.status !== 200 || response.body === null) return seen;
    await onOpen?.();
    await onEvents?.(0);
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      seen.text += text;
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      const found = blocks.map(fieldsOf).filter(({ data }) => data !== undefined);
      events.push(...found);
      if (events.length >= count) return { ...seen, events: events.slice(0, count) };
      if (found.length > 0) await onEvents?.(events.length);
    }
    throw new Mismatch(`${count} events`, `${events.length} before the end of the stream`, request);
  } catch (error) {
    if (!closing.signal.aborted) throw error;
    throw new Mismatch(`${count} events within ${timeoutMs / 1000} seconds`, `${events.length}`, request);
  } finally {
    clearTimeout(timer);
    closing.abort();
  }
}

function fieldsOf(block: string): StreamEvent {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'));
  return Object.fromEntries(lines.map((line) => [line.replace(/:.*/, ''), line.replace(/^[^:]*: ?/, '')]));
}

/** The start of a stream: at least up to the empty line after its first `id`. */
export async function readStart(client: Client, path: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { Authorization: `Bearer ${client.key}` };
  const response = await fetch(new URL(client.v2 + path, client.base), { headers, signal });
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (/^id/m.test(text) && text.includes('\n\n')) break;
  }
  return text;
}

export interface OpenStream {
  readonly status: number;
  /** When the last comment arrived, or the stream was opened. */
  lastCommentAt(): number;
  isEnded(): boolean;
  readonly close: () => void;
}

const MAX_TRIES = 50;
const TRY_INTERVAL_MS = 100;

/** Opens a stream. Retries on 429: streams of earlier checks may still be closing. */
export async function openStreamAfterOthers(client: Client, path: string): Promise<OpenStream> {
  for (let tries = 1; ; tries += 1) {
    const stream = await openStream(client, path);
    if (stream.status !== 429 || tries === MAX_TRIES) return stream;
    stream.close();
    await pause(TRY_INTERVAL_MS);
  }
}

/** Opens a stream of version 2, and leaves it open. */
export async function openStream(client: Client, path: string, key = client.key): Promise<OpenStream> {
  const closing = new AbortController();
  const { status, body } = await fetch(new URL(client.v2 + path, client.base), {
    headers: { Authorization: `Bearer ${key}` },
    signal: closing.signal,
  });
  let [commentAt, isEnded] = [Date.now(), false];
  const read = async () => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      if (/^:/m.test(text)) commentAt = Date.now();
  };
  read()
    .catch(() => {})
    .finally(() => {
      isEnded = true;
    });
  return {
    status,
    lastCommentAt: () => commentAt,
    isEnded: () => isEnded,
    close: () => closing.abort(),
  };
}
