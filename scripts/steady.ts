import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run steady -- --runs 10 --load 8 [FILE…]`: runs the gate, or the given test files, repeatedly next to busy
 * processes. Each failure is reported with its seed and its log. Nothing is retried: any failure fails the command.
 */
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, load: { type: 'string', default: '0' } },
});
const [runs, load] = [values.runs, values.load].map(Number) as [number, number];
if (!(Number.isSafeInteger(runs) && runs > 0 && Number.isSafeInteger(load) && load >= 0)) {
  console.error('steady: --runs takes a positive number, --load a number from 0');
  process.exit(2);
}

const gate = files.length > 0 ? ['npx', 'vitest', 'run', ...files] : ['npm', 'run', 'verify'];
const logs = mkdtempSync(join(tmpdir(), 'petstore-steady-'));
/** A busy loop until standard input ends, which happens however this process exits. */
const BUSY = `
  process.stdin.resume().once('close', () => process.exit());
  const work = () => { for (const end = Date.now() + 20; Date.now() < end; ); setImmediate(work); };
  work();
`;
const busy = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'ignore'] }),
);

let failed = 0;
for (let run = 1; run <= runs; run += 1) {
  const log = join(logs, `run-${run}.log`);
  const started = performance.now();
  const code = await runGate(log);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `run ${run} of ${runs}, load ${load}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s (${log})`,
  );
  if (code === 0) continue;
  failed += 1;
  console.log(failureIn(readFileSync(log, 'utf8')));
}
for (const process of busy) process.kill();
console.log(`${runs - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runGate(log: string): Promise<number> {
  const [program = '', ...args] = gate;
  const output = createWriteStream(log);
  await once(output, 'open');
  const child = spawn(program, args, {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', output, output],
  });
  const [code] = await once(child, 'exit');
  output.close();
  return code ?? 1;
}

/** The test runner's report of failed tests, or the end of the log if it did not get that far. */
function failureIn(text: string): string {
  const seeds = [...text.matchAll(/\bseed: (-?\d+)/g)].map(([, seed]) => seed);
  const at = text.search(/^.*(Failed (Tests|Suites)|Unhandled Errors|FAILED check:)/m);
  const part = at < 0 ? text.slice(-10_000) : text.slice(at);
  return `seeds: ${seeds.join(', ') || 'none'}\n${part}`;
}
