import type { Exchange } from './exchange.ts';

/** Told of an exchange and when it ended, in milliseconds since 1970. */
type Observer = (exchange: Exchange, at: number) => void;

/**
 * Tells each observer of all exchanges that end at the same moment, one observer after the other: the same thing done
 * again and again takes much less time than many things in turn.
 */
export function observingTogether(
  observers: readonly Observer[],
  now: () => number,
): (exchange: Exchange) => void {
  let ended: Exchange[] = [];
  const tell = () => {
    const together = ended;
    ended = [];
    const at = now();
    for (const observe of observers) for (const exchange of together) observe(exchange, at);
  };
  return (exchange) => {
    if (ended.push(exchange) === 1) process.nextTick(tell);
  };
}
