/**
 * Measures for how long a process has made no progress, in ticks of the process that watches it: a watcher that was
 * suspended finds nothing stuck when it goes on. Time in which the watched process waited for a CPU does not count, where
 * the system tells it (Linux). A thread is given the text of this function, so it uses nothing from outside.
 */
export function openStuckTime(pid: number, tickMs: number): (hasProgress: boolean) => number {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const waitedMs = (): number => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  };
  let waited = waitedMs();
  let stuckMs = 0;
  return (hasProgress) => {
    const before = waited;
    waited = waitedMs();
    stuckMs = hasProgress ? 0 : Math.max(0, stuckMs + tickMs - (waited - before));
    return stuckMs;
  };
}
