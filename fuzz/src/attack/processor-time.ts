import { readFileSync } from 'node:fs';

/** Seconds of processor time used by a program with all its processes. */
export function processorSeconds(pid: number): number {
  const ticks = processesOf(pid).map((each) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    // utime and stime, in hundredths of a second.
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((total, each) => total + each, 0) / 100;
}

/** Returns a function that tells how much longer a program's event loops took since this call than on idle processors: 1 on an idle machine. */
export function measureSlowdown(pid: number): () => number {
  const sample = () => {
    const threads = readSchedule(pid);
    const sum = (field: 'running' | 'waiting') => threads.reduce((total, thread) => total + thread[field], 0);
    return { running: sum('running'), waiting: sum('waiting') };
  };
  const before = sample();
  return () => {
    const { running, waiting } = sample();
    return 1 + (waiting - before.waiting) / Math.max(1, running - before.running);
  };
}

/** Returns a function that tells for how many milliseconds the busiest of a program's event loops ran since this call. Other load does not affect it. */
export function startBusiestLoopTimer(pid: number): () => number {
  const before = readSchedule(pid);
  return () =>
    Math.max(0, ...readSchedule(pid).map(({ running }, index) => running - (before[index]?.running ?? 0))) /
    1e6;
}

/** Nanoseconds that the main thread of each process ran, and waited for a processor; empty if the program has exited. */
function readSchedule(pid: number) {
  try {
    return processesOf(pid).map((each) => {
      const fields = readFileSync(`/proc/${each}/schedstat`, 'utf8').split(' ');
      return { running: Number(fields[0]), waiting: Number(fields[1]) };
    });
  } catch {
    return [];
  }
}

/** A process and its children. */
export function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).map(Number)];
}
