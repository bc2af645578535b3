/** At the limit, rejects keys that already have an equal share of it, and still accepts others. */
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
