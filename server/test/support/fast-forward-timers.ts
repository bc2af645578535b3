import { vi } from 'vitest';

const LONG_MS = 1_000;
const SHORT_MS = 20;

/** Until it is disposed, timers of a second or more fire almost at once: for waits that cannot end otherwise. */
export function fastForwardTimers(): Disposable {
  const { setTimeout } = globalThis;
  const shortened = (callback: () => void, ms = 0, ...args: []) =>
    setTimeout(callback, ms >= LONG_MS ? SHORT_MS : ms, ...args);
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(shortened as typeof setTimeout);
  return { [Symbol.dispose]: () => spy.mockRestore() };
}
