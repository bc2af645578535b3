/** At the limit, keys that have their equal share of active work are rejected; others are still accepted. */
export function fairShareLimit(limit: number) {
  const activeByKey = new Map<bigint, number>();
  let active = 0;
  const count = (key: bigint) => activeByKey.get(key) ?? 0;
  return {
    count,
    tryAcquire(key: bigint): boolean {
      if (active >= limit && count(key) * activeByKey.size >= limit) return false;
      active++;
      activeByKey.set(key, count(key) + 1);
      return true;
    },
    release(key: bigint): void {
      active--;
      const left = count(key) - 1;
      if (left > 0) activeByKey.set(key, left);
      else activeByKey.delete(key);
    },
  };
}
