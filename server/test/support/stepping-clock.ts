/** A clock that advances by a millisecond with each reading, and not otherwise: times are distinct however fast or slow a test runs. */
export function steppingClock(): () => number {
  let last = Date.now();
  return () => {
    last += 1;
    return last;
  };
}
