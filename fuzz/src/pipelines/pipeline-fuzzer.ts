import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUT_MS } from '../connection.ts';
import { excerpt } from '../responses.ts';
import type { Fuzzer } from '../run.ts';
import type { WireTarget } from '../wire/wire-fuzzer.ts';
import { findPipelineProblem, type Received, readResponses } from './check-pipeline.ts';
import { createPipeline, type Pipeline } from './generate-pipeline.ts';

/** How long a client that reads nothing stays connected. */
const UNREAD_MS = 200;
/** Idle time after which the client checks whether all responses have arrived. */
const QUIET_MS = 25;
const SLOW_BYTES = 4096;

/** Sends pipelined requests, complete and in chunks, and disconnects in different ways. */
export function pipelineFuzzer(targets: readonly WireTarget[], seed: number): Fuzzer {
  const attemptFor = (number: number) => {
    const target = targets[number % targets.length] as WireTarget;
    const url = new URL(target.origin);
    return { url, pipeline: createPipeline({ host: url.host, key: target.key }, seed, number) };
  };
  const show = (number: number) => {
    const { chunks, ...client } = attemptFor(number).pipeline;
    const { pauses, reads, leaves } = client;
    const how = `in ${chunks.length} chunks, pauses ${pauses}, reads ${reads}, leaves ${leaves}`;
    return `${excerpt(Buffer.concat(chunks), 1500)} (${how})`;
  };
  return {
    show,
    async attempt(number) {
      const { url, pipeline } = attemptFor(number);
      const received = await exchangeBytes(url, pipeline);
      const problem = typeof received === 'string' ? received : findPipelineProblem(pipeline, received);
      if (problem === undefined) return undefined;
      const text = typeof received === 'string' ? '' : excerpt(received.bytes, 1500);
      return { fuzzer: 'pipelines', number, problem, sent: show(number), received: text };
    },
  };
}

/** Returns all bytes received until the connection closes, or a problem if it does not. */
async function exchangeBytes(url: URL, pipeline: Pipeline): Promise<Received | string> {
  const { chunks, pauses, reads, leaves } = pipeline;
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true }).setNoDelay();
  let wasReset = false;
  socket.on('error', () => {
    wasReset = true;
  });
  try {
    await once(socket, 'connect');
  } catch (error) {
    return `no connection: ${(error as Error).message}`;
  }
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const received: Buffer[] = [];
  if (reads === 'nothing') socket.pause();
  else void collect(socket, received, reads === 'slowly');
  for (const chunk of chunks) {
    if (!socket.writable) break;
    socket.write(chunk);
    if (pauses === 'a tick') await new Promise((next) => setImmediate(next));
    if (pauses === 'milliseconds') await sleep(2);
  }
  if (leaves === 'abruptly') {
    await sleep(pauses === 'none' ? 0 : 5);
    socket.resetAndDestroy();
  } else if (reads === 'nothing') {
    await sleep(UNREAD_MS);
    if (leaves === 'half-closing') socket.end();
    socket.destroy();
  } else if (leaves === 'half-closing') socket.end();
  else await waitForResponses(socket, pipeline, received);
  const ended = await Promise.race([closed.then(() => true), sleep(TIMEOUT_MS, false, { ref: false })]);
  socket.destroy();
  return ended ? { bytes: Buffer.concat(received), wasReset } : 'the connection was not closed';
}

async function collect(socket: Socket, received: Buffer[], slowly: boolean): Promise<void> {
  socket.on('end', () => socket.end());
  if (!slowly) return void socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('readable', async () => {
    for (let chunk = take(); chunk !== null; chunk = take()) {
      received.push(chunk);
      await sleep(1);
    }
  });
  const take = (): Buffer | null => socket.read(Math.min(SLOW_BYTES, socket.readableLength || 1));
}

/** Waits until all responses have arrived or the service closes, then half-closes. */
async function waitForResponses(
  socket: Socket,
  pipeline: Pipeline,
  received: readonly Buffer[],
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let before = -1; !socket.destroyed && performance.now() < deadline; ) {
    await sleep(QUIET_MS);
    if (socket.readableEnded) break;
    if (received.length !== before) {
      before = received.length;
      continue;
    }
    if (hasAllResponses(pipeline, Buffer.concat(received))) break;
  }
  socket.end();
}

function hasAllResponses(pipeline: Pipeline, received: Buffer): boolean {
  try {
    const { responses } = readResponses(pipeline, received);
    return responses.length >= pipeline.requests.length;
  } catch {
    return true;
  }
}
