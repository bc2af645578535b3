/** The bugs of each exercise in docs/TEACHING.md. */
const exercises: Readonly<Record<string, readonly string[]>> = {
  'Exercise 1': ['list-is-empty'],
  'Exercise 2': ['refused-key-is-403', 'no-key-is-needed'],
  'Exercise 3': [
    'cancel-twice-is-204',
    'unknown-order-is-204',
    'shipped-order-is-204',
    'delivered-order-is-404',
    'conflict-has-another-code',
    'error-says-another-status',
  ],
  'Exercise 4': ['newest-order-is-missing', 'cancelled-order-stays-listed', 'cancel-does-nothing'],
  'Exercise 5': [
    'list-is-descending',
    'quantity-is-text',
    'status-leaks-into-v1',
    'complete-too-early',
    'sold-pet-is-available',
  ],
  'Exercise 6': [
    'cancelled-order-is-404',
    'second-cancel-is-204',
    'ships-twice',
    'ship-date-stays-expected',
    'delivered-without-shipping',
    'history-is-backwards',
  ],
  'Exercise 7': [
    'stock-is-not-taken',
    'cancelled-stock-is-lost',
    'sells-more-than-there-is',
    'quantity-0-is-1',
    'summary-hides-cancelled',
  ],
  'Exercise 8': [
    'limit-is-ignored',
    'pages-overlap',
    'last-page-is-lost',
    'second-status-is-ignored',
    'end-of-range-is-included',
    'unknown-parameter-is-ignored',
    'cursor-goes-with-any-filter',
  ],
  'Exercise 9': [
    'after-is-included',
    'cancelling-is-no-event',
    'event-shows-today',
    'stream-lacks-ids',
    'stream-forgets-where-it-was',
  ],
  'Exercise 10': ['retry-places-again', 'reused-key-replays', 'replay-is-not-told'],
};

/** The exercise of a bug. */
export function exerciseOf(id: string): string | undefined {
  return Object.keys(exercises).find((name) => exercises[name]?.includes(id));
}
