/** What a timer of any runtime can wait for; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** For whoever fills a large store, which takes minutes. Node's `fetch` waits no longer than this. */
const RESET_TIMEOUT_MS = 300_000;
export const patientWithReset = { timeout: RESET_TIMEOUT_MS, tryTimeout: RESET_TIMEOUT_MS };

/** Calls back after so many milliseconds, or after the longest that a timer can wait. */
export function after(ms: number, call: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(call, Math.min(ms, MAX_TIMER_MS));
}

/** Refuses what is no length of time. `Infinity` is one. */
export function requireTime(name: string, ms: number): void {
  if (!(typeof ms === 'number' && ms >= 0)) throw new TypeError(`${name} is no number of milliseconds`);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
