/** A clock that advances by a millisecond per reading, and not otherwise: times are distinct at any test speed. */
export function steppingClock(): () => number {
  let last = Date.now();
  return () => {
    last += 1;
    return last;
  };
}
