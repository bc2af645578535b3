import { type RefObject, useEffect, useState } from 'react';

/** Whether a row is pointed at or focused: new rows above it would move it. */
const isInUse = (element: HTMLElement | null) => element?.matches(':hover, :focus-within') ?? false;

/** Holds new rows back while the table is in use, so that no row moves away from the pointer or the focus. */
export function useHeldRows<T extends { readonly id: string }>(
  rows: readonly T[] | undefined,
  table: RefObject<HTMLElement | null>,
): { readonly shown: readonly T[] | undefined; readonly held: number; readonly showAll: () => void } {
  const [shown, show] = useState(rows);
  useEffect(() => {
    if (!isInUse(table.current)) show(rows);
  }, [rows, table]);
  const first = shown?.[0];
  const held = first && rows ? rows.findIndex(({ id }) => id === first.id) : 0;
  return first
    ? { shown, held: Math.max(0, held), showAll: () => show(rows) }
    : { shown: rows, held: 0, showAll() {} };
}
