import { percentile } from '../statistics.ts';
import { type Answer, LoadConnection } from './connection.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The next request of a connection; undefined when there is nothing left to ask. */
  readonly next: (connection: number) => Buffer | undefined;
  /** Told of every answer. */
  readonly answered?: (answer: Answer, connection: number) => void;
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number;
  readonly count: number;
  readonly seconds: number;
  /** Milliseconds from request to last byte. */
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<number, number>>;
}

/** Every connection sends its next request as soon as the last one was answered. */
export async function closedLoop(load: Load): Promise<Measured> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => LoadConnection.open(load.port)),
  );
  try {
    return await drive(connections, load);
  } finally {
    for (const connection of connections) connection.close();
  }
}

function drive(connections: readonly LoadConnection[], load: Load): Promise<Measured> {
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const started = performance.now();
  const until = started + load.seconds * 1000;
  let last = started;
  let open = connections.length;

  return new Promise((resolve, reject) => {
    const finish = () => {
      if (--open > 0) return;
      const seconds = (last - started) / 1000;
      resolve({ ...describe(times), rate: times.length / seconds, seconds, statuses });
    };
    connections.forEach((connection, index) => {
      const ask = () => {
        const request = performance.now() < until ? load.next(index) : undefined;
        if (request === undefined) return finish();
        connection.send(request, answered, reject);
      };
      const answered = (answer: Answer) => {
        times.push(answer.total);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        last = performance.now();
        load.answered?.(answer, index);
        ask();
      };
      ask();
    });
  });
}

export function describe(times: number[]): { count: number; p50: number; p99: number } {
  const sorted = Float64Array.from(times).sort() as unknown as number[];
  return { count: times.length, p50: percentile(sorted, 50), p99: percentile(sorted, 99) };
}

/** Throws unless every answer had a status that was expected: a rate of errors measures nothing. */
export function expectOnly(measured: Measured, ...expected: number[]): Measured {
  const others = Object.entries(measured.statuses).filter(([status]) => !expected.includes(Number(status)));
  if (others.length > 0) throw new Error(`unexpected answers: ${JSON.stringify(measured.statuses)}`);
  return measured;
}
