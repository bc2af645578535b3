import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run steady -- --runs 10 --load 8 [FILE…]`: runs the gate, or the given test files, repeatedly next to busy
 * processes. Each failure is reported with its seed and its log. Nothing is retried: any failure fails the command.
 * `npm run steady -- --verdicts -- check-client … -- COMMAND`: runs a check instead, which must reach the same verdicts
 * in every run.
 */
const USAGE = 'Usage: npm run steady -- [--runs N] [--load N] [FILE… | --verdicts -- CHECK … -- COMMAND]';
const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const [runs, load] = [values.runs, values.load].map(Number) as [number, number];
if (!(Number.isSafeInteger(runs) && runs > 0 && Number.isSafeInteger(load) && load >= 0))
  exitWith('--runs takes a positive number, --load a number from 0');

const command = commandOf(positionals);
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
let expected: string | undefined;
for (let run = 1; run <= runs; run += 1) {
  const log = join(logs, `run-${run}.log`);
  const started = performance.now();
  const code = await runOnce(log);
  const seconds = Math.round((performance.now() - started) / 1000);
  const text = readFileSync(log, 'utf8');
  const verdicts = values.verdicts ? verdictsIn(text) : undefined;
  expected ??= verdicts;
  const isGood = values.verdicts ? verdicts !== undefined && verdicts === expected : code === 0;
  console.log(
    `run ${run} of ${runs}, load ${load}: ${isGood ? 'passed' : 'FAILED'} in ${seconds} s (${log})`,
  );
  if (verdicts !== undefined && (run === 1 || !isGood)) console.log(verdicts);
  if (isGood) continue;
  failed += 1;
  if (verdicts === undefined) console.log(failureIn(text));
}
for (const process of busy) process.kill();
console.log(`${runs - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: 'string', default: '3' },
        load: { type: 'string', default: '0' },
        verdicts: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return exitWith((error as Error).message);
  }
}

function exitWith(problem: string): never {
  console.error(`steady: ${problem}\n${USAGE}`);
  process.exit(2);
}

/** The gate, the test files, or a check that prints JSON. */
function commandOf([first = '', ...rest]: readonly string[]): string[] {
  if (values.verdicts) return [process.execPath, '--', 'cli/src/bin.js', first, '--json', ...rest];
  return first === '' ? ['npm', 'run', 'verify'] : ['npx', 'vitest', 'run', first, ...rest];
}

/** A line for each verdict, with the names of the questions or bugs; undefined if the check printed none. */
function verdictsIn(text: string): string | undefined {
  const [json] = /^\{\n[\s\S]*^\}$/m.exec(text) ?? [];
  if (json === undefined) return undefined;
  const { questions, bugs = questions } = JSON.parse(json);
  const byVerdict = Map.groupBy(bugs as { id: string; verdict: string }[], ({ verdict }) => verdict);
  const lines = [...byVerdict].map(([verdict, some]) => `${verdict}: ${some.map(({ id }) => id).join(' ')}`);
  return lines.toSorted().join('\n');
}

async function runOnce(log: string): Promise<number> {
  const [program = '', ...args] = command;
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
