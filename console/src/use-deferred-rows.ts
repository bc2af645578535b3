import { type RefObject, useEffect, useState } from 'react';

/** Whether a row is pointed at or focused: new rows above it would move it. */
const isInUse = (element: HTMLElement | null) => element?.matches(':hover, :focus-within') ?? false;

/** Defers new rows while the table is in use, so that no row moves away from the pointer or the focus. */
export function useDeferredRows<T extends { readonly id: string }>(
  rows: readonly T[] | undefined,
  table: RefObject<HTMLElement | null>,
): { readonly shown: readonly T[] | undefined; readonly deferred: number; readonly showAll: () => void } {
  const [shown, setShown] = useState(rows);
  useEffect(() => {
    if (!isInUse(table.current)) setShown(rows);
  }, [rows, table]);
  const first = shown?.[0];
  const deferred = first && rows ? rows.findIndex(({ id }) => id === first.id) : 0;
  return first
    ? { shown, deferred: Math.max(0, deferred), showAll: () => setShown(rows) }
    : { shown: rows, deferred: 0, showAll() {} };
}
