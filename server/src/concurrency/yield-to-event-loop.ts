/** Slices wait for up to this many ticks while connections arrive, so that each side gets its share. */
const MAX_POSTPONED_TICKS = 64;
/** Slices do not wait longer than this, even if ticks are long. */
const MAX_POSTPONED_MS = 250;

/** Slices of work that wait to run, by owner. */
const queues = new Map<unknown, Array<() => void>>();
let hasNewConnection = false;
let postponedTicks = 0;
let lastSliceAt = Number.NEGATIVE_INFINITY;

/** Yields to the event loop. One caller continues per tick, owners round-robin, so that other work runs in between. */
export function yieldToEventLoop(owner?: bigint | string): Promise<void> {
  return new Promise((resolve) => {
    if (queues.size === 0) setImmediate(startSliceOrPostpone);
    const queue = queues.get(owner);
    if (queue) queue.push(resolve);
    else queues.set(owner, [resolve]);
  });
}

/** Like `yieldToEventLoop` while connections arrive; otherwise it continues at once. */
export async function yieldToNewConnections(owner: bigint | string): Promise<void> {
  if (hasNewConnection) await yieldToEventLoop(owner);
}

/** Called for each new connection. libuv accepts one per tick: with a slice in each tick, each would wait for a slice. */
export function postponeSlices(): void {
  hasNewConnection = true;
}

function startSliceOrPostpone(): void {
  const isOverdue =
    postponedTicks >= MAX_POSTPONED_TICKS || performance.now() - lastSliceAt > MAX_POSTPONED_MS;
  if (hasNewConnection && !isOverdue) postponedTicks++;
  else startSlice();
  hasNewConnection = false;
  if (queues.size > 0) setImmediate(startSliceOrPostpone);
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
