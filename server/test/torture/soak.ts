import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startProgram } from '../support/program.ts';
import { openTestRun } from '../support/test-run.ts';
import type { Actor, Send } from './actors.ts';
import { databases } from './databases.ts';
import { type Panel, panels } from './panels.ts';
import { inconsistenciesIn, openActors, openStores, sender } from './torture.ts';

/** `npm run soak -- --minutes 30`: everything on for that long; growth shows in a chart and a table in the docs. */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('soak: --minutes takes a number');
/** The number of points in the chart, whatever the duration. */
const POINTS = 60;
/** The pause of each of the 64 writers between changes: sustained load, not maximum load. */
const REST_MS = 400;
const STREAMS = 20;

interface Sample {
  readonly minute: number;
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly walMb: number;
  readonly p99Ms: number;
  readonly requests: number;
}

await openTestRun();
await using database = await databases.sqlite();
// Receiver, streams and log reader discard what they read: garbage collection would distort latencies.
const receiver = createServer((message, res) => {
  message.resume();
  res.writeHead(204).end();
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const keys = await openStores(database.location);
const samples: Sample[] = [];
let violations: string[] = [];
let acknowledged = 0;
{
  await using program = await startProgram([
    ...database.flags,
    '--port',
    '0',
    '--no-demo',
    '--log-level',
    'info',
  ]);
  const agent = new Agent({ keepAlive: true });
  const taken: number[] = [];
  const send = timed(sender(program.port, agent), taken);
  const actors = await openActors(send, keys, receiverUrl);
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, (_, i) => openStream(program.port, keys[i % keys.length] as string)),
  );
  let isOver = false;
  const work = actors.map((actor) =>
    until(
      () => isOver,
      () => actor.step(send),
    ),
  );
  // The store of the complete list is reset now and then: a growing one would get slower anyway.
  const reads: Array<[string, string | undefined]> = [
    ['GET /v1/store/orders', keys.at(-1)],
    ['GET /v1/pets', keys[1]],
    ['GET /v2/store/orders?sort=-id', keys[2]],
    ['GET /v2/pets?limit=20', keys[3]],
  ];
  work.push(
    ...reads.map(([read, key]) =>
      until(
        () => isOver,
        () => send(read, { key: key as string }),
      ),
    ),
  );
  for (let point = 1; point <= POINTS; point++) {
    await pause((minutes * 60_000) / POINTS);
    program.output.stdout = '';
    samples.push(sampleOf(program.pid, (point / POINTS) * minutes, taken.splice(0)));
    process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  isOver = true;
  await Promise.all(work);
  for (const stream of streams) stream.destroy();
  violations = (await Promise.all(actors.map((actor: Actor) => actor.verify(send)))).flat();
  acknowledged = actors.reduce((total, { expected }) => total + expected.acknowledged, 0);
  agent.destroy();
  const { code } = await program.stop('SIGTERM');
  if (code !== 0) violations.push(`the program exited with ${code}`);
}
receiver.close();
receiver.closeAllConnections();
violations.push(...(await inconsistenciesIn(database)));
writeResults(samples);
console.log({ minutes, acknowledged, violations });
process.exitCode = violations.length === 0 ? 0 : 1;

async function openStream(port: number, key: string) {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const stream = request({
    host: '127.0.0.1',
    port,
    path: '/v2/store/events/stream',
    headers,
    agent: false,
  }).end();
  const [res] = await once(stream, 'response');
  res.on('error', () => {}).resume();
  return stream.on('error', () => {});
}

async function until(isOver: () => boolean, step: () => Promise<unknown>): Promise<void> {
  while (!isOver()) {
    await step().catch((error) => {
      violations.push(String(error));
      isOver = () => true;
    });
    await pause(REST_MS * (0.5 + Math.random()));
  }
}

function timed(send: Send, taken: number[]): Send {
  return async (...args) => {
    const begun = performance.now();
    const response = await send(...args);
    taken.push(performance.now() - begun);
    return response;
  };
}

function sampleOf(pid: number, minute: number, taken: number[]): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const sorted = taken.sort((a, b) => a - b);
  const wal = statSync(join(database.location.data, 'staging.db-wal'), { throwIfNoEntry: false });
  return {
    minute,
    memoryMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    walMb: (wal?.size ?? 0) / 1024 / 1024,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    requests: sorted.length,
  };
}

/** The chart, and between its markers the table: the median of the first, middle and last third. */
function writeResults(all: readonly Sample[]): void {
  const kinds: Array<[keyof Sample, string]> = [
    ['memoryMb', 'memory, MB'],
    ['descriptors', 'descriptors'],
    ['walMb', '-wal, MB'],
    ['p99Ms', 'p99 of all requests, ms'],
  ];
  const chart: Panel[] = kinds.map(([kind, title]) => ({ title, values: all.map((sample) => sample[kind]) }));
  const docs = new URL('../../../docs/', import.meta.url);
  writeFileSync(new URL('charts/soak.svg', docs), panels(`${minutes} minutes, everything on`, chart));
  const third = (kind: keyof Sample, i: number) => {
    const part = all.slice(Math.floor((all.length * i) / 3), Math.floor((all.length * (i + 1)) / 3));
    return median(part.map((sample) => sample[kind])).toFixed(1);
  };
  const rows = kinds.map(
    ([kind, title]) => `| ${title} | ${[0, 1, 2].map((i) => third(kind, i)).join(' | ')} |`,
  );
  const table = [
    `${new Date().toISOString().slice(0, 10)}, ${minutes} minutes, ${acknowledged.toLocaleString('en')} changes acknowledged, ${violations.length} violations:`,
    '',
    '| median of | first third | second third | last third |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
  const page = new URL('RELIABILITY.md', docs);
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.split('<!-- soak -->')[0], text.split('<!-- end of soak -->')[1]];
  if (after === undefined) throw new Error('docs/RELIABILITY.md lacks the markers around the soak');
  writeFileSync(page, `${before}<!-- soak -->\n${table}\n<!-- end of soak -->${after}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
