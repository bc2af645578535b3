import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';

export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  /** The raw line of JSON. */
  readonly text: string;
}

/** A server-sent event stream, read by a standard client. */
export interface EventReader extends Disposable {
  readonly response: IncomingMessage;
  /** Everything received so far. */
  readonly events: readonly ReadEvent[];
  readonly comments: number;
  /** The ID to resume after. */
  readonly lastId: string | undefined;
  readonly ended: Promise<void>;
  /** Waits for the given number of events. */
  waitForEvents(count: number): Promise<readonly ReadEvent[]>;
}

export interface ReaderOptions {
  readonly key: string;
  readonly after?: string;
  readonly lastEventId?: string | undefined;
  readonly onEvent?: (event: ReadEvent) => void;
}

export async function readEvents(
  { port }: { readonly port: number },
  { key, after, lastEventId, onEvent }: ReaderOptions,
): Promise<EventReader> {
  const path = `/v2/store/events/stream${after === undefined ? '' : `?after=${after}`}`;
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const request = send({ host: '127.0.0.1', port, path, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {});
  const events: ReadEvent[] = [];
  let comments = 0;
  let lastId: string | undefined;
  let rest = '';
  let arrived = Promise.withResolvers<void>();
  const ended = new Promise<void>((resolve) =>
    response.once('close', resolve).once('error', () => resolve()),
  );
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
      if (fields.has('')) comments++;
      lastId = fields.get('id') ?? lastId;
      const data = fields.get('data');
      if (data === undefined) continue;
      const event = { id: String(lastId), type: fields.get('event') ?? 'message', text: data };
      events.push(event);
      onEvent?.(event);
    }
    arrived.resolve();
    arrived = Promise.withResolvers();
  });
  return {
    response,
    events,
    get comments() {
      return comments;
    },
    get lastId() {
      return lastId;
    },
    ended,
    async waitForEvents(count) {
      while (events.length < count) {
        const isOver = await Promise.race([arrived.promise, ended.then(() => true)]);
        if (isOver && events.length < count)
          throw new Error(`the stream ended after ${events.length} events`);
      }
      return events;
    },
    [Symbol.dispose]: () => request.destroy(),
  };
}
