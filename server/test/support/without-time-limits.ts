import { onTestFinished, vi } from 'vitest';

/** Until the test ends, nothing times out: limited waits take as long as necessary. */
export function withoutTimeLimits(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  onTestFinished(() => void vi.restoreAllMocks());
}
