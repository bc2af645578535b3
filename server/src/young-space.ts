import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Changes of every deployment that are under way in this process. */
export const underWay = { changes: 0 };

/** Memory for what is soon forgotten: so much holds what few requests make, until it is forgotten. */
const USUAL_BYTES = 8.5 * 1024 * 1024;
/** What so many changes hold while they wait would fill it: V8 would copy it around and then keep it for long. */
const MANY = 256;

let factor = 1;

/** Once everything is loaded, that memory grows: to what is usual, or as far as V8 may while many changes are under way. */
export function endLoading(): void {
  letGrow();
  new PerformanceObserver(letGrow).observe({ entryTypes: ['gc'] });
}

function letGrow(): void {
  const wanted = underWay.changes >= MANY || committedBytes() < USUAL_BYTES ? 2 : 1;
  if (wanted !== factor) setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
  factor = wanted;
}

function committedBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
