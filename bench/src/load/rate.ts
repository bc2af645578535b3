import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { find } from '../processes.ts';
import { closedLoop, expectOnly } from './closed-loop.ts';
import { requestBytes } from './connection.ts';

const wrk = find('wrk');

/** What makes the load of the simple rates here. */
export const generator = wrk === undefined ? 'own (node:net)' : 'wrk';

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expected: number;
}

export const CONNECTIONS = 64;

/** Answers a second to one request, repeated on 64 connections. */
export async function rateOf(target: Target, seconds: number): Promise<number> {
  // wrk counts in whole seconds.
  return wrk === undefined || seconds < 1 ? ownRate(target, seconds) : await wrkRate(wrk, target, seconds);
}

/** The same with the generator written here, for comparing with loads that only it can make. */
export async function ownRate({ port, path, headers, expected }: Target, seconds: number): Promise<number> {
  const request = requestBytes('GET', path, { headers });
  const measured = await closedLoop({ port, connections: CONNECTIONS, seconds, next: () => request });
  return expectOnly(measured, expected).rate;
}

async function wrkRate(program: string, { port, path, headers }: Target, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)(program, [
    '--threads',
    '1',
    '--connections',
    String(CONNECTIONS),
    '--duration',
    `${Math.round(seconds)}s`,
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    `http://127.0.0.1:${port}${path}`,
  ]);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(stdout))
    throw new Error(`wrk met unexpected answers:\n${stdout}`);
  return rate;
}
