import { readFileSync } from 'node:fs';

/** Seconds of processor time used by a program with all its processes. */
export function processorSeconds(pid: number): number {
  const ticks = familyOf(pid).map((each) => {
    const fields = readFileSync(`/proc/${each}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((total, each) => total + each, 0) / 100;
}

/** How much longer its event loops took than on processors of their own, since this was called: 1 on an idle machine. */
export function slowdownOf(pid: number): () => number {
  const sample = () => {
    const threads = schedule(pid);
    const sum = (field: 'running' | 'waiting') => threads.reduce((total, thread) => total + thread[field], 0);
    return { running: sum('running'), waiting: sum('waiting') };
  };
  const before = sample();
  return () => {
    const { running, waiting } = sample();
    return 1 + (waiting - before.waiting) / Math.max(1, running - before.running);
  };
}

/** Milliseconds that the busiest of its event loops ran since this was called, on however busy a machine. */
export function busiestOf(pid: number): () => number {
  const before = schedule(pid);
  return () =>
    Math.max(0, ...schedule(pid).map(({ running }, index) => running - (before[index]?.running ?? 0))) / 1e6;
}

/** Nanoseconds that the main thread of each process ran, and waited for a processor; none once the program has exited. */
function schedule(pid: number) {
  try {
    return familyOf(pid).map((each) => {
      const fields = readFileSync(`/proc/${each}/schedstat`, 'utf8').split(' ');
      return { running: Number(fields[0]), waiting: Number(fields[1]) };
    });
  } catch {
    return [];
  }
}

/** A process and its children. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children.filter(Boolean).map(Number)];
}
