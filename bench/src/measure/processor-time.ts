import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of user and system time that all threads of a process have used: nanosecond precision, on Linux only. */
export function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    // The first figure of schedstat: time spent on a processor.
    nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
  }
  return nanoseconds / 1e9;
}

/** How many times as long as its processor time a turn may take, where a server waits for its disk. */
const MAX_STRETCH = 10;

/** Whether a process has used so many seconds since now. */
export function usedUp(pid: number, seconds: number): () => boolean {
  const until = processorTime(pid) + seconds;
  const deadline = performance.now() + MAX_STRETCH * seconds * 1000;
  return () => processorTime(pid) >= until || performance.now() > deadline;
}

/** Empty if the thread or process has just exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
