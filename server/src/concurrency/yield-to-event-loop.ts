const waiting: Array<() => void> = [];

/** Waits for a turn of one's own: work of milliseconds runs one piece a turn, and others are served in between. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}
