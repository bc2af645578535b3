const waiting: Array<() => void> = [];

/**
 * A turn of the event loop for work that takes milliseconds, such as a page of a thousand orders: one piece a turn,
 * whoever asks for it, so that however many ask at once, light requests are answered in between.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}
