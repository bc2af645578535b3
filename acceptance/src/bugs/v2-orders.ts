import type { Bug } from './bug.ts';
import { inHead } from './ways.ts';

export const v2Orders: readonly Bug[] = [
  {
    id: 'placed-order-is-200',
    level: 'easy',
    operation: 'v2.placeOrder',
    summary: 'A placed order is answered with 200.',
    hint: 'Look at the status.',
    breaks: () => inHead(201, (answered) => Object.assign(answered, { status: 200 })),
  },
];
