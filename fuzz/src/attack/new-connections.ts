import { openConnection } from '../connection.ts';
import type { Program } from '../program/start-program.ts';
import { startBusiestLoopTimer } from './processor-time.ts';
import { production } from './scene.ts';
import { openUnreadClients } from './small-windows.ts';

/** Each round measures both servers, so that other load on the machine affects both. */
const ROUNDS = 3;

export interface Side {
  readonly program: Program;
  readonly origin: string;
  readonly requests: readonly string[];
}

export interface NewConnections {
  /** Median of the milliseconds of processor time until the service had served a connection opened after many others. */
  readonly ms: number;
  /** The same at a plain node:http. */
  readonly plainMs: number;
  /** Packets that were retransmitted to open the others: each time, the client waited for a second or longer. */
  readonly retransmitted: number;
}

/** Measures how long a connection that is opened after many others waits, at the service and at a plain node:http. */
export async function compareNewConnections(service: Side, plain: Side): Promise<NewConnections> {
  const waits: number[] = [];
  const plainWaits: number[] = [];
  let retransmitted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await measureRound(service);
    waits.push(measured.ms);
    retransmitted += measured.retransmitted;
    plainWaits.push((await measureRound(plain)).ms);
  }
  return { ms: median(waits), plainMs: median(plainWaits), retransmitted };
}

export const describeNewConnections = ({ ms, plainMs, retransmitted }: NewConnections) =>
  `a new connection waited for ${Math.round(ms)} ms of processor time, at a plain node:http ${Math.round(plainMs)} ms, ${retransmitted} packets retransmitted`;

/** A client's kernel retransmits packets when connections exceed the backlog. */
export function judgeNewConnections(compared: NewConnections, maxFactor: number): string | undefined {
  if (compared.retransmitted > 0) return 'connections that fit in the backlog are dropped';
  return compared.ms > maxFactor * compared.plainMs
    ? `a new connection waits more than ${maxFactor} × as long as at a plain node:http`
    : undefined;
}

async function measureRound({ program, origin, requests }: Side) {
  const workedSince = startBusiestLoopTimer(program.pid);
  await using clients = await openUnreadClients(origin, requests);
  const connection = openConnection(origin);
  const { host } = new URL(origin);
  await connection.exchange(Buffer.from(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 'GET');
  const ms = workedSince();
  connection.close();
  const { retransmitted } = await clients.settled;
  return { ms, retransmitted };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export const plainSide = (program: Program, count: number): Side => {
  const { origin } = production(program);
  const request = `GET /v1/store/orders HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`;
  return { program, origin, requests: Array(count).fill(request) };
};
