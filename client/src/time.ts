/** The longest delay of a timer; longer ones fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** For resets with large data sets, which take minutes. The maximum of Node's `fetch`. */
const RESET_TIMEOUT_MS = 300_000;
export const resetTimeouts = { timeout: RESET_TIMEOUT_MS, tryTimeout: RESET_TIMEOUT_MS };

/** Calls back after this many milliseconds, or after the longest delay of a timer. */
export function callAfter(ms: number, call: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(call, Math.min(ms, MAX_TIMER_MS));
}

/** Rejects invalid durations. `Infinity` is valid. */
export function requireTime(name: string, ms: number): void {
  if (!(typeof ms === 'number' && ms >= 0)) throw new TypeError(`${name} must be a number of milliseconds`);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = callAfter(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
