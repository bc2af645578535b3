import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Recorded } from '../build/recorded.ts';
import { startProgram } from '../test/support/program.ts';

/**
 * Records what the landing page shows: the responses of a new store, and `check-client` on the first client of the tour.
 * `npm run record -w console`.
 */
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const file = path('../src/landing/recorded.json');

async function recordCalls(): Promise<Recorded['calls']> {
  await using program = await startProgram();
  const headers = { authorization: `Bearer ${program.key}` };
  const call = async (method: string, at: string) => {
    const response = await fetch(`${program.production}/v1${at}`, { method, headers });
    return { method, path: at, status: response.status, body: await response.text() };
  };
  return [
    await call('GET', '/store/orders'),
    await call('DELETE', '/store/orders/40'),
    await call('DELETE', '/store/orders/39'),
  ];
}

/** Questions whose outcome fits on a screen. */
const only = 'lists-orders,int64-read,no-content,conflict-is-final,lost-answer,retry-after';
const command = ['check-client', '--only', only, '--', 'node', 'client.mjs'];

/** The client that the tour writes first, which has the bugs that the tour then fixes. */
function firstClient(): string {
  const [, client = ''] = /^```js\n(.*?)^```/ms.exec(readFileSync(path('../../docs/TOUR.md'), 'utf8')) ?? [];
  return client;
}

async function recordRun(): Promise<Recorded['run']> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-record-'));
  writeFileSync(join(folder, 'client.mjs'), firstClient());
  const started = performance.now();
  const lines: Array<{ ms: number; line: string }> = [];
  const program = spawn(process.execPath, [path('../../cli/src/bin.js'), ...command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(program.stdout))
    lines.push({ ms: Math.round(performance.now() - started), line });
  rmSync(folder, { recursive: true });
  return lines;
}

const recorded: Recorded = {
  day: new Date().toISOString().slice(0, 10),
  calls: await recordCalls(),
  command: `petstore ${command.join(' ')}`,
  run: await recordRun(),
};
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(recorded.run.map(({ ms, line }) => `${ms} ${line}`).join('\n'));
for (const { method, path: at, status, body } of recorded.calls)
  console.log(method, at, status, body.slice(0, 300));
