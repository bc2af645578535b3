import { exitCodeOf } from '../../checks/src/engine/exit-codes.ts';
import type { Report } from '../../checks/src/engine/report.ts';
import { requireCommand } from '../../checks/src/engine/require-command.ts';
import type { RunLimits } from '../../checks/src/engine/run-command.ts';
import { checkReportFiles, writeReports } from '../../checks/src/engine/write-reports.ts';
import { reportFilesOf, secondsOf } from './check-flags.ts';
import type { Call } from './command-group.ts';
import { print } from './output.ts';

/** A check whose flags are valid. */
export interface StartedCheck {
  readonly limits: RunLimits;
  /** Prints a line of progress: with --json on standard error, because standard output carries only the JSON. */
  say(line: string): void;
  /** Prints the JSON, if any, writes the reports and returns the exit code. */
  finish(report: Report, json?: unknown): Promise<number>;
  /** Shows the time left in a transient line, if standard error is a terminal. */
  estimate(done: number, of: number): void;
}

/** Rejects invalid flags, unwritable report files and a command that cannot be run, before anything starts. */
export function startCheck(call: Call, command?: readonly string[]): StartedCheck {
  const { values, env, stdout, stderr } = call;
  const isJson = values.json === true;
  const seconds = secondsOf(values);
  const files = reportFilesOf(values);
  checkReportFiles(files);
  if (command) requireCommand(command, env);
  let phase = { started: performance.now(), of: 0 };
  const clearLine = stderr.isTTY ? '\r\x1b[K' : '';
  return {
    limits: { env, seconds, interruption: call.interruption() },
    say(line) {
      if (clearLine) stderr.write(clearLine);
      (isJson ? stderr : stdout).write(`${line}\n`);
    },
    estimate(done, of) {
      if (!clearLine) return;
      if (phase.of !== 0 && phase.of !== of) phase = { started: performance.now(), of };
      phase.of = of;
      const left = Math.ceil(((performance.now() - phase.started) / 1000 / Math.max(done, 1)) * (of - done));
      const time = done === 0 || done === of ? '' : `, about ${left} s left`;
      stderr.write(done === of ? clearLine : `${clearLine}${done} of ${of}${time}`);
    },
    async finish(report, json) {
      if (isJson && json !== undefined) await print(`${JSON.stringify(json, null, 2)}\n`, call);
      writeReports(report, files);
      return exitCodeOf(report);
    },
  };
}
