/** Slices wait for up to this many ticks while connections arrive, so that each side gets its share. */
const MAX_POSTPONED_TICKS = 64;
/** For clients that keep each tick busy. */
const MAX_POSTPONED_MS = 250;

/** Slices of work that are due, by owner. */
const queues = new Map<unknown, Array<() => void>>();
let hasAccepted = false;
let postponedTicks = 0;
let lastSliceAt = Number.NEGATIVE_INFINITY;

/** Yields to the event loop. One caller continues per tick, owners round-robin, so that other work runs in between. */
export function yieldToEventLoop(owner?: bigint | string): Promise<void> {
  return new Promise((resolve) => {
    if (queues.size === 0) setImmediate(startNext);
    const queue = queues.get(owner);
    if (queue) queue.push(resolve);
    else queues.set(owner, [resolve]);
  });
}

/** Like `yieldToEventLoop` while connections arrive; otherwise it continues at once. */
export async function yieldToNewConnections(owner: bigint | string): Promise<void> {
  if (hasAccepted) await yieldToEventLoop(owner);
}

/** libuv accepts one connection per tick: with a slice in each tick, a queue of connections would wait for as many slices. */
export function postponeSlices(): void {
  hasAccepted = true;
}

function startNext(): void {
  const isOverdue =
    postponedTicks >= MAX_POSTPONED_TICKS || performance.now() - lastSliceAt > MAX_POSTPONED_MS;
  if (hasAccepted && !isOverdue) postponedTicks++;
  else startSlice();
  hasAccepted = false;
  if (queues.size > 0) setImmediate(startNext);
}

function startSlice(): void {
  postponedTicks = 0;
  lastSliceAt = performance.now();
  const [first] = queues;
  if (!first) return;
  const [owner, queue] = first;
  queue.shift()?.();
  queues.delete(owner);
  if (queue.length > 0) queues.set(owner, queue);
}
