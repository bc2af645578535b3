import { once } from 'node:events';
import { connect } from 'node:net';
import { TIMEOUT_MS } from '../connection.ts';
import { excerpt } from '../responses.ts';
import type { Fuzzer } from '../run.ts';
import { findResponsesProblem, readResponses } from './check-responses.ts';
import { createWireCase, type WireCase } from './generate-bytes.ts';

export interface WireTarget {
  readonly origin: string;
  readonly key: string;
}

/** Sends broken HTTP, each time on a new connection. */
export function wireFuzzer(targets: readonly WireTarget[], seed: number): Fuzzer {
  const attemptFor = (number: number) => {
    const target = targets[number % targets.length] as WireTarget;
    const url = new URL(target.origin);
    return { url, wireCase: createWireCase({ host: url.host, key: target.key }, seed, number) };
  };
  const show = (number: number) => excerpt(Buffer.concat(attemptFor(number).wireCase.chunks), 1500);
  return {
    show,
    async attempt(number) {
      const { url, wireCase } = attemptFor(number);
      const received = await exchangeBytes(url, wireCase);
      const problem = typeof received === 'string' ? received : findResponsesProblem(wireCase, received);
      if (problem === undefined) return undefined;
      return {
        fuzzer: 'wire',
        number,
        problem: `${problem} (${wireCase.name})`,
        sent: show(number),
        received: typeof received === 'string' ? '' : excerpt(received, 800),
      };
    },
  };
}

/** Idle time after which the client half-closes the connection. */
const QUIET_MS = 25;

/** Returns all bytes received until the connection closes, or a problem if it does not. */
async function exchangeBytes(
  url: URL,
  { chunks, disconnects, validCount }: WireCase,
): Promise<Buffer | string> {
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true }).setNoDelay();
  let received: Buffer = Buffer.alloc(0);
  let silence: NodeJS.Timeout | undefined;
  // Half-closing discards pending responses: first wait for those to valid requests.
  const restartSilenceTimer = () => {
    clearTimeout(silence);
    if (disconnects || hasAllResponses(received, validCount))
      silence = setTimeout(() => socket.end(), QUIET_MS);
  };
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve('the connection was not closed'), TIMEOUT_MS);
  socket
    .on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      restartSilenceTimer();
    })
    .on('error', () => {})
    .on('end', () => socket.destroy())
    .on('close', () => resolve(undefined));
  try {
    await once(socket, 'connect');
    for (const chunk of chunks) {
      socket.write(chunk);
      await new Promise((next) => setImmediate(next));
    }
    if (disconnects) socket.resetAndDestroy();
    else restartSilenceTimer();
    return (await promise) ?? received;
  } catch (error) {
    return `no connection: ${(error as Error).message}`;
  } finally {
    clearTimeout(timer);
    clearTimeout(silence);
    socket.destroy();
  }
}

function hasAllResponses(received: Buffer, validCount: number): boolean {
  try {
    const responses = readResponses(received, false);
    return responses.length >= validCount || responses.some(({ status }) => status !== 200);
  } catch {
    return true;
  }
}
