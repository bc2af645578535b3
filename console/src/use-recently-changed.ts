import { useEffect, useRef, useState } from 'react';
import type { Order } from './api/store.ts';

const HIGHLIGHT_MS = 2_500;

/** The orders that changed or appeared since the last read, for highlighting. */
export function useRecentlyChanged(orders: readonly Order[]): ReadonlySet<bigint> {
  const previous = useRef<Map<bigint, string> | undefined>(undefined);
  const [fresh, setFresh] = useState<ReadonlySet<bigint>>(new Set());

  useEffect(() => {
    const before = previous.current;
    previous.current = new Map(orders.map(({ id, updatedAt }) => [id, updatedAt]));
    // Another page or filter shows different orders, which are not changes.
    const overlap = before && orders.filter(({ id }) => before.has(id)).length;
    if (!before || !overlap || overlap < orders.length / 2) return;
    const changed = orders.filter(({ id, updatedAt }) => before.get(id) !== updatedAt);
    if (changed.length === 0 || changed.length > orders.length / 2) return;
    setFresh(new Set(changed.map(({ id }) => id)));
    const timer = setTimeout(() => setFresh(new Set()), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [orders]);

  return fresh;
}
