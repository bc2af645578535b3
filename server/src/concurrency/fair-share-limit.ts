/** Beyond the bound, whoever has an equal share of the work under way gets no more; others are still served. */
export function fairShareLimit(most: number) {
  const underWayOf = new Map<bigint, number>();
  let underWay = 0;
  return {
    count: (who: bigint) => underWayOf.get(who) ?? 0,
    take(who: bigint): boolean {
      const own = underWayOf.get(who) ?? 0;
      if (underWay >= most && own * underWayOf.size >= most) return false;
      underWay++;
      underWayOf.set(who, own + 1);
      return true;
    },
    release(who: bigint): void {
      underWay--;
      const left = (underWayOf.get(who) ?? 1) - 1;
      if (left > 0) underWayOf.set(who, left);
      else underWayOf.delete(who);
    },
  };
}
