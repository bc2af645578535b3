import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { type RunningProgram, startProgram } from '../../support/program.ts';

/** A replica on its own port, which `kill` restarts. */
export interface Replica extends AsyncDisposable {
  readonly port: number;
  /** Its standard error since the last start: the reason of an unexpected exit. */
  readonly output: string;
  /** How often it was killed. */
  readonly kills: number;
  /** Kills it with SIGKILL and restarts it. */
  kill(): Promise<void>;
}

export async function startReplica(flags: readonly string[]): Promise<Replica> {
  const port = await freePort();
  const args = ['--port', String(port), '--no-demo', '--log-level', 'silent', ...flags];
  let program: RunningProgram = await startProgram(args);
  let over = false;
  let kills = 0;

  /** Retries until it starts, as a supervisor does while the database is unavailable. */
  const startAgain = async () => {
    while (!over) {
      try {
        program = await startProgram(args);
        return;
      } catch {
        await pause(200);
      }
    }
  };
  let starting = Promise.resolve();
  return {
    port,
    get output() {
      return program.output.stderr;
    },
    get kills() {
      return kills;
    },
    async kill() {
      await starting;
      kills++;
      await program[Symbol.asyncDispose]();
      starting = startAgain();
      await starting;
    },
    async [Symbol.asyncDispose]() {
      over = true;
      await starting;
      await program[Symbol.asyncDispose]();
    },
  };
}
