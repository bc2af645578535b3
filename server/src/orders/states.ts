/** Every state an order can be in. */
export const orderStatuses = ['pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Every way from one state to another. What is not here cannot happen. */
export const transitions = {
  ship: { from: 'pending', to: 'shipped' },
  deliver: { from: 'shipped', to: 'delivered' },
  cancel: { from: 'pending', to: 'cancelled' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus }>;
export type Transition = keyof typeof transitions;
