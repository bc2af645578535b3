import { LoadConnection, type Response } from './connection.ts';

interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The next request of a connection. */
  readonly next: (connection: number) => Buffer | undefined;
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number;
  readonly statuses: ReadonlyMap<number, number>;
}

const CONNECTIONS = 64;

/** Answers a second to one request, repeated on 64 connections. */
export async function rateOf(
  port: number,
  request: Buffer,
  expected: number,
  seconds: number,
): Promise<number> {
  const measured = await closedLoop({ port, connections: CONNECTIONS, seconds, next: () => request });
  return expectOnly(measured, expected).rate;
}

/** Every connection sends its next request as soon as the last one was answered. */
export async function closedLoop({ port, connections, seconds, next }: Load): Promise<Measured> {
  const all = await Promise.all(Array.from({ length: connections }, () => LoadConnection.open(port)));
  const statuses = new Map<number, number>();
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  let last = started;
  const drive = (connection: LoadConnection, index: number) =>
    new Promise<void>((resolve, reject) => {
      const ask = () => {
        const request = performance.now() < until ? next(index) : undefined;
        if (request === undefined) resolve();
        else connection.send(request, answered, reject);
      };
      const answered = ({ status }: Response) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        count++;
        last = performance.now();
        ask();
      };
      ask();
    });
  try {
    await Promise.all(all.map(drive));
  } finally {
    for (const connection of all) connection.close();
  }
  return { rate: count / ((last - started) / 1000), statuses };
}

/** A rate of errors measures nothing. */
export function expectOnly(measured: Measured, expected: number): Measured {
  if ([...measured.statuses.keys()].every((status) => status === expected)) return measured;
  throw new Error(`unexpected answers: ${JSON.stringify([...measured.statuses])}`);
}
