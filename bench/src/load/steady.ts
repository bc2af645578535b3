import { describe } from './closed-loop.ts';
import { type Answer, LoadConnection } from './connection.ts';

export interface Stream {
  /** Requests a second, whether or not earlier ones were answered. */
  readonly rate: number;
  readonly connections: number;
  readonly next: () => Buffer | undefined;
  readonly expected: number;
}

export interface SteadyMeasured {
  readonly sent: number;
  /** Answers a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * Requests at a steady rate until it is over. A request's time counts from when it was due, also while it
 * waits for a connection: a server that stalls cannot hide it.
 */
export async function steady(
  port: number,
  stream: Stream,
  isOver: (seconds: number) => boolean,
): Promise<SteadyMeasured> {
  const idle = await Promise.all(Array.from({ length: stream.connections }, () => LoadConnection.open(port)));
  const all = [...idle];
  const times: number[] = [];
  const due: number[] = [];
  const started = performance.now();
  let scheduled = 0;
  let underWay = 0;
  let ended = false;
  let last = started;
  try {
    await new Promise<void>((resolve, reject) => {
      const sendDue = () => {
        while (due.length > 0 && idle.length > 0) {
          const since = due.shift() as number;
          const request = stream.next();
          if (request === undefined) return;
          const connection = idle.pop() as LoadConnection;
          underWay++;
          connection.send(
            request,
            ({ status }: Answer) => {
              underWay--;
              last = performance.now();
              times.push(last - since);
              if (status !== stream.expected) return reject(new Error(`unexpected answer ${status}`));
              idle.push(connection);
              sendDue();
            },
            reject,
          );
        }
      };
      const tick = () => {
        const now = performance.now();
        const seconds = (now - started) / 1000;
        ended ||= isOver(seconds);
        for (; !ended && scheduled < seconds * stream.rate; scheduled++) due.push(now);
        sendDue();
        if (!ended || due.length > 0 || underWay > 0) setTimeout(tick, 1);
        else resolve();
      };
      tick();
    });
  } finally {
    for (const connection of all) connection.close();
  }
  const { count, p50, p99 } = describe(times);
  return { sent: count, rate: count / ((last - started) / 1000), p50, p99 };
}
