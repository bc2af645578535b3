/**
 * Measures how long a process has made no progress, in ticks of its watcher, so that time in which the watcher was suspended
 * does not count. On Linux, neither does time in which the process waited for a CPU. Self-contained, because a thread gets
 * this function's source text.
 */
export function createStallTimer(pid: number, tickMs: number): (hasProgress: boolean) => number {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  // The second number of `schedstat`: nanoseconds spent waiting for a CPU.
  const waitedMs = (): number => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  };
  let waited = waitedMs();
  let stalledMs = 0;
  return (hasProgress) => {
    const before = waited;
    waited = waitedMs();
    stalledMs = hasProgress ? 0 : Math.max(0, stalledMs + tickMs - (waited - before));
    return stalledMs;
  };
}
