import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of all threads of a process, in seconds. Linux only, with nanosecond precision. */
export function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const thread of threadsOf(pid)) {
    // The first figure of schedstat: time spent on a processor.
    nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
  }
  return nanoseconds / 1e9;
}

/** Processor time of a process and its children, including those that have exited, in seconds. */
export function processorTimeWithChildren(pid: number): number {
  const running = childrenOf(pid).reduce((sum, child) => sum + processorTime(child), processorTime(pid));
  // After the name in parentheses: cutime and cstime, of children that have exited, in hundredths of a second.
  const [user, system] = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(13, 15) ?? [];
  return running + (Number(user ?? 0) + Number(system ?? 0)) / 100;
}

export function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Wall-clock limit of a sample, as a multiple of its processor time: a server that waits for the disk uses little. */
const MAX_WALL_CLOCK_RATIO = 10;

/** Returns a function that tells whether the process has used `seconds` of processor time since this call, or the wall-clock limit has passed. */
export function startProcessorTimer(pid: number, seconds: number): () => boolean {
  const until = processorTime(pid) + seconds;
  const deadline = performance.now() + MAX_WALL_CLOCK_RATIO * seconds * 1000;
  return () => processorTime(pid) >= until || performance.now() > deadline;
}

/** Empty if the process has just exited. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty if the thread or process has just exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
