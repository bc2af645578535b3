import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest } from '../load.ts';
import { absoluteRow, type Effort, type Row } from '../measure/compare.ts';
import { processorTime } from '../measure/processor-time.ts';
import { memoryOf, type RunningServer, resetPeakMemory } from '../processes.ts';
import { startPetstore } from '../subjects/petstore.ts';
import { largeStore } from './stores.ts';

const LIST = '/v1/store/orders';
const IDLE_MS = 2_000;
const WARM_UP = 200;
/** Pause between small requests while the list is sent. */
const INTERVAL_MS = 5;

/** Each round starts the service with a million orders, waits, and lists them all. */
export async function large({ checkpoints }: Effort): Promise<Row[]> {
  const rounds: Array<Awaited<ReturnType<typeof measureOnce>>> = [];
  for (let round = 0; round < (checkpoints[0] as number); round++) rounds.push(await measureOnce());
  const of = (figure: keyof (typeof rounds)[0]) => rounds.map((round) => round[figure]);
  return [
    absoluteRow(
      { what: 'start on a million orders to the first response', limit: 1.5, unit: 's' },
      of('start'),
    ),
    absoluteRow(
      {
        what: 'idle memory',
        limit: 110,
        unit: 'MB',
        because: 'Node takes 45 MB, and both threads load the code of all features',
      },
      of('idle'),
    ),
    absoluteRow({ what: 'list of a million: memory above idle', limit: 64, unit: 'MB' }, of('growth')),
    absoluteRow({ what: 'list of a million: to the first byte', limit: 100, unit: 'ms' }, of('firstByte')),
    absoluteRow({ what: 'list of a million: p99 of other requests', limit: 50, unit: 'ms' }, of('p99')),
  ];
}

async function measureOnce() {
  const { location, key } = await largeStore();
  await using petstore = await startPetstore(location, key);
  await pause(IDLE_MS);
  const idle = memoryOf(petstore.pid);
  for (let sent = 0; sent < WARM_UP; sent++) await sendRequest(petstore.port, '/v1/pets', { key });
  const before = memoryOf(petstore.pid);
  resetPeakMemory(petstore.pid);
  const listing = new AbortController();
  const others = measureP99(petstore, key, listing.signal);
  const firstByte = await measureFirstByte(petstore, key);
  listing.abort();
  const growth = memoryOf(petstore.pid, 'VmHWM') - before;
  return { start: petstore.startupSeconds, idle, growth, firstByte, p99: await others };
}

/** Lists all orders; returns the milliseconds of processor time until the first byte. */
async function measureFirstByte({ pid, port }: RunningServer, key: string): Promise<number> {
  const started = processorTime(pid);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { Authorization: `Bearer ${key}` };
  const sent = request({ host: '127.0.0.1', port, path: LIST, headers, agent: false }, (response) => {
    let firstByte: number | undefined;
    response.on('data', () => {
      firstByte ??= (processorTime(pid) - started) * 1000;
    });
    response.on('end', () => {
      if (response.statusCode === 200) resolve(firstByte as number);
      else reject(new Error(`the list: ${response.statusCode}`));
    });
    response.on('error', reject);
  });
  sent.on('error', reject).end();
  return promise;
}

/** Sends small requests until aborted; returns the 99th percentile of the service's processor time for each, in milliseconds. */
async function measureP99(
  { pid, port }: RunningServer,
  largeKey: string,
  until: AbortSignal,
): Promise<number> {
  const times: number[] = [];
  while (!until.aborted) {
    const started = processorTime(pid);
    const { status } = await sendRequest(port, '/v1/pets', { key: largeKey });
    if (status !== 200) throw new Error(`a request during the list: ${status}`);
    times.push((processorTime(pid) - started) * 1000);
    await pause(INTERVAL_MS);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}
