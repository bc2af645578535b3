import { onTestFinished, vi } from 'vitest';

/** Until the test ends, nobody is late: what may take so long, and no longer, takes as long as it takes. */
export function withoutTimeLimits(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  onTestFinished(() => void vi.restoreAllMocks());
}
