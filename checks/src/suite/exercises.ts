/** The bugs of each exercise in docs/course. */
const exercises: Readonly<Record<string, readonly string[]>> = {
  'Exercise 1': ['list-is-empty'],
  'Exercise 2': ['rejected-key-is-403', 'no-key-is-needed'],
  'Exercise 3': [
    'cancel-twice-is-204',
    'unknown-order-is-204',
    'shipped-order-is-204',
    'delivered-order-is-404',
    'conflict-has-wrong-code',
    'error-has-wrong-status',
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
  'Exercise 10': ['retry-places-again', 'reused-key-replays', 'replay-header-is-missing'],
  'Exercise 11': [
    'order-of-another-store-is-shown',
    'order-of-another-store-is-cancelled',
    'orders-of-other-stores-are-counted',
    'read-only-key-cancels',
  ],
  'Exercise 12': [
    'ended-key-still-works',
    'expired-key-still-works',
    'truncated-key-works',
    'key-in-capitals-works',
    'key-in-query-works',
    'version-0-needs-no-key',
  ],
  'Exercise 13': [
    'client-sets-the-status',
    'client-sets-the-time',
    'client-sells-a-pet-by-status',
    'secret-is-shown-again',
    'last-unit-sells-again',
    'limit-has-no-maximum',
    'body-has-no-maximum',
    'webhook-goes-anywhere',
    'error-shows-the-stack',
    'any-page-may-use-credentials',
    'nosniff-is-missing',
  ],
  'Exercise 14': [
    'limit-is-obeyed-in-v1',
    'large-ids-are-rounded',
    'always-not-modified',
    'leading-zero-is-ignored',
    'deprecation-header-is-missing',
    'location-is-missing',
  ],
};

/** The exercise of a bug. */
export function exerciseOf(id: string): string | undefined {
  return Object.keys(exercises).find((name) => exercises[name]?.includes(id));
}
