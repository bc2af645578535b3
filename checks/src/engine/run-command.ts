import { type StartOptions, startCommand } from './start-command.ts';

/** Time to exit once `meanwhile` is done. */
const EXIT_GRACE_SECONDS = 20;
/** Time limits are counted in ticks. */
const TICK_MS = 20;

export interface RunResult {
  /** null if it was killed. */
  readonly code: number | null;
  /** How it ended: `exited with code 1`. */
  readonly end: string;
  /** It was killed because a time limit expired. */
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Limits of every program that a check runs. */
export interface RunLimits extends Omit<StartOptions, 'variables'> {
  readonly seconds: number;
}

interface RunOptions extends RunLimits, StartOptions {
  /** Interacts with the program while it runs. Afterwards, the program has a grace period to exit. */
  readonly meanwhile?: (hasEnded: () => boolean) => Promise<void>;
}

/** Runs a program until it exits, times out or is interrupted, and kills its remaining child processes. */
export async function runCommand(
  command: readonly string[],
  { seconds, meanwhile, ...options }: RunOptions,
): Promise<RunResult> {
  const program = startCommand(command, options);
  let exceededLimit: number | undefined;
  const timers: NodeJS.Timeout[] = [];
  const killAfter = (limit: number) => {
    const expire = () => {
      if (program.hasEnded()) return;
      exceededLimit = limit;
      program.kill();
    };
    let ticksLeft = (limit * 1000) / TICK_MS;
    // Late ticks are not made up for: on a busy machine, which delays the program as well, the limit is longer.
    const tick = () => {
      ticksLeft -= 1;
      if (ticksLeft <= 0) expire();
    };
    timers.push(setInterval(tick, TICK_MS));
  };
  killAfter(seconds);
  void meanwhile?.(program.hasEnded).then(() => program.hasEnded() || killAfter(EXIT_GRACE_SECONDS));
  try {
    const { code, signal, ...output } = await program.ended;
    const isLate = exceededLimit !== undefined;
    if (isLate)
      return { code: null, end: `did not exit within ${exceededLimit} s`, timedOut: true, ...output };
    const end = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
    return { code, end, timedOut: false, ...output };
  } finally {
    timers.forEach(clearInterval);
  }
}
