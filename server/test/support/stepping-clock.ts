/** The time, but never the same twice: what is ordered by it has one order, however quickly it was made. */
export function steppingClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}
