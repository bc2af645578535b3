import { createHash } from 'node:crypto';

/** Draws `count` items by a seed: the same seed draws the same items, in their original order. */
export function draw<T extends { readonly id: string }>(
  items: readonly T[],
  seed: string,
  count: number,
): T[] {
  const rankOf = ({ id }: T) => createHash('sha256').update(`${seed}\n${id}`).digest('hex');
  const byRank = items.map((item) => ({ item, rank: rankOf(item) }));
  byRank.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const drawn = new Set(byRank.slice(0, count).map(({ item }) => item));
  return items.filter((item) => drawn.has(item));
}
