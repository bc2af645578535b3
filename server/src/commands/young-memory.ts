import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const GROWTH = 4;

/**
 * Lets the memory for what is soon forgotten grow once: to the some megabytes that a busy service is quickest with.
 * Left to itself, it grows on to many times that, and stays so, for the sake of a percent.
 */
export function letYoungMemoryGrowOnce(): void {
  const before = youngBytes();
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH}`);
  const observer = new PerformanceObserver(() => {
    if (youngBytes() <= before) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
