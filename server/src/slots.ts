import { Refusal } from './refusal.ts';

const LONGEST_WAIT_MS = 5_000;

/** So many pieces of costly work run at a time for each, such as a store, and in all. Others wait, but not for ever. */
export function openSlots(mostOfEach: number, mostInAll?: number) {
  const inAll = mostInAll === undefined ? undefined : openSlots(mostInAll);
  const lines = new Map<bigint, { taken: number; waiting: Set<() => void> }>();
  const lineOf = (who: bigint) => lines.get(who) ?? { taken: 0, waiting: new Set() };
  return {
    count(who: bigint) {
      const { taken, waiting } = lineOf(who);
      return { taken, waiting: waiting.size };
    },
    async take(who: bigint): Promise<Disposable> {
      const line = lineOf(who);
      lines.set(who, line);
      if (line.taken < mostOfEach) line.taken++;
      else await turnIn(line.waiting);
      using slot = new DisposableStack();
      slot.defer(() => {
        const [next] = line.waiting;
        // Whoever waits takes over the slot, which stays taken.
        if (next) next();
        else if (--line.taken === 0) lines.delete(who);
      });
      if (inAll) slot.use(await inAll.take(0n));
      return slot.move();
    },
  };
}

function turnIn(waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(new Refusal('unavailable'));
    }, LONGEST_WAIT_MS);
    waiting.add(next);
  });
}
