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
};

const timeoutMs = 10_000;

/** Opens a stream of version 2, reads `count` events with data, and closes it. */
export async function readStream(client: Client, reading: Reading) {
  const { path, headers = {}, count, onOpen } = reading;
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
    };
    if (response.status !== 200 || response.body === null) return seen;
    await onOpen?.();
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      events.push(...blocks.map(fieldsOf).filter(({ data }) => data !== undefined));
      if (events.length >= count) return { ...seen, events: events.slice(0, count) };
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
