import { percentile } from '../statistics.ts';
import { LoadConnection } from './connection.ts';

interface Stream {
  /** Requests a second, whether or not earlier ones were answered. */
  readonly rate: number;
  readonly connections: number;
  readonly request: Buffer;
}

/**
 * Requests at a steady rate until it is over: the 99th percentile in milliseconds. A request's time counts from when it
 * was due, also while it waits for a connection: a server that stalls cannot hide it.
 */
export async function steady(
  port: number,
  { rate, connections, request }: Stream,
  isOver: (seconds: number) => boolean,
): Promise<number> {
  const all = await Promise.all(Array.from({ length: connections }, () => LoadConnection.open(port)));
  const idle = [...all];
  const times: number[] = [];
  const due: number[] = [];
  const started = performance.now();
  let scheduled = 0;
  let hasEnded = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const sendDue = () => {
        while (due.length > 0 && idle.length > 0) {
          const since = due.shift() as number;
          const connection = idle.pop() as LoadConnection;
          connection.send(
            request,
            ({ status }) => {
              times.push(performance.now() - since);
              if (status !== 200) return reject(new Error(`unexpected answer ${status}`));
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
        hasEnded ||= isOver(seconds);
        for (; !hasEnded && scheduled < seconds * rate; scheduled++) due.push(now);
        sendDue();
        if (hasEnded && due.length === 0 && idle.length === all.length) resolve();
        else setTimeout(tick, 1);
      };
      tick();
    });
  } finally {
    for (const connection of all) connection.close();
  }
  return percentile(
    times.toSorted((a, b) => a - b),
    99,
  );
}
