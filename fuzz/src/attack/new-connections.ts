import { openConnection } from '../connection.ts';
import type { Program } from '../program/start-program.ts';
import { busiestOf } from './processor-time.ts';
import { production } from './scene.ts';
import { openUnread } from './small-windows.ts';

/** Alternately against each, so that what else runs on the machine affects both. */
const ROUNDS = 3;

export interface Side {
  readonly program: Program;
  readonly origin: string;
  readonly requests: readonly string[];
}

export interface NewConnections {
  /** Milliseconds of processor time until a connection opened after the others was served, the median of the rounds. */
  readonly ms: number;
  readonly plainMs: number;
  /** Packets that were repeated to open the others: their clients waited for a second or longer. */
  readonly repeated: number;
}

/** What a connection waits for that is opened after many others, at the service and at a plain node:http. */
export async function compareNewConnections(service: Side, plain: Side): Promise<NewConnections> {
  const waits: number[] = [];
  const plainWaits: number[] = [];
  let repeated = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await measureRound(service);
    waits.push(measured.ms);
    repeated += measured.repeated;
    plainWaits.push((await measureRound(plain)).ms);
  }
  return { ms: median(waits), plainMs: median(plainWaits), repeated };
}

export const describeNewConnections = ({ ms, plainMs, repeated }: NewConnections) =>
  `a new connection waited for ${Math.round(ms)} ms of processor time, at a plain node:http ${Math.round(plainMs)} ms, ${repeated} packets repeated`;

/** Packets are repeated by a client's kernel when connections exceed the backlog. */
export function judgeNewConnections(compared: NewConnections, maxFactor: number): string | undefined {
  if (compared.repeated > 0) return 'connections are dropped that fit in the backlog';
  return compared.ms > maxFactor * compared.plainMs
    ? `a new connection waits more than ${maxFactor} × as long as at a plain node:http`
    : undefined;
}

async function measureRound({ program, origin, requests }: Side) {
  const workedSince = busiestOf(program.pid);
  await using clients = await openUnread(origin, requests);
  const connection = openConnection(origin);
  const { host } = new URL(origin);
  await connection.exchange(Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 'GET');
  const ms = workedSince();
  connection.close();
  const { repeated } = await clients.settled;
  return { ms, repeated };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export const plainSide = (program: Program, count: number): Side => {
  const { origin } = production(program);
  const request = `GET /v1/store/orders HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`;
  return { program, origin, requests: Array(count).fill(request) };
};
