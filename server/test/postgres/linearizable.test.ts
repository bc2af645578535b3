import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../support/effort.ts';
import { findViolation, type Operation } from './support/linearizable.ts';
import { type OrderState, operationOf, type RequestKind } from './support/order-register.ts';

/** `[start, end, kind, response]`; without a response, the outcome is unknown. */
type Line = [start: number, end: number, kind: RequestKind, response?: string];

function violation(lines: readonly Line[], initial: OrderState = 'pending') {
  const operations = lines.map(([start, end, kind, response]) =>
    operationOf({ kind, start, end, response }),
  ) as Operation<OrderState>[];
  return findViolation(initial, operations);
}

describe('the checker accepts', () => {
  it.each<[string, Line[], OrderState?]>([
    ['nothing at all', []],
    [
      'a life in sequence',
      [
        [1, 2, 'get', '404 not_found'],
        [3, 4, 'place', '201'],
        [5, 6, 'v1 list', 'not complete'],
        [7, 8, 'ship', '200'],
        [9, 10, 'v1 cancel', '409 order_already_shipped'],
        [11, 12, 'deliver', '200'],
        [13, 14, 'v1 list', 'complete'],
        [15, 16, 'deliver', '409 invalid_transition'],
      ],
      'absent',
    ],
    [
      'reads concurrent with a change, before it and after it',
      [
        [1, 10, 'v2 cancel', '204'],
        [2, 9, 'get', '200 cancelled'],
        [3, 8, 'get', '200 pending'],
        [4, 7, 'v1 list', 'missing'],
      ],
    ],
    [
      'two concurrent cancels, one of them rejected',
      [
        [1, 5, 'v1 cancel', '404 not_found'],
        [2, 6, 'v1 cancel', '204'],
      ],
    ],
    [
      'an unknown cancel that never took effect',
      [
        [1, 2, 'v2 cancel'],
        [3, 4, 'get', '200 pending'],
        [5, 6, 'ship', '200'],
      ],
    ],
    [
      'an unknown cancel that took effect long after',
      [
        [1, 2, 'v2 cancel'],
        [3, 4, 'get', '200 pending'],
        [50, 60, 'get', '200 cancelled'],
      ],
    ],
    [
      'an unknown placement, a replay, and an unknown ship that let a delivery pass',
      [
        [1, 2, 'place'],
        [3, 4, 'place', '201 replayed'],
        [5, 6, 'ship'],
        [7, 8, 'deliver', '200'],
      ],
      'absent',
    ],
  ])('%s', (_, lines, initial) => {
    expect(violation(lines, initial)).toBeUndefined();
  });
});

describe('the checker rejects', () => {
  it.each<[string, Line[], OrderState?]>([
    [
      'a lost update: a cancel was acknowledged, and the order is pending again',
      [
        [1, 2, 'v1 cancel', '204'],
        [3, 4, 'v1 list', 'not complete'],
      ],
    ],
    [
      'an acknowledged order that is missing',
      [
        [1, 2, 'place', '201'],
        [3, 4, 'v1 list', 'missing'],
        [5, 6, 'get', '200 pending'],
      ],
      'absent',
    ],
    [
      'a stale read: delivered, and the list began after it',
      [
        [1, 2, 'deliver', '200'],
        [3, 4, 'v1 list', 'not complete'],
      ],
      'shipped',
    ],
    [
      'the same cancel acknowledged twice',
      [
        [1, 10, 'v1 cancel', '204'],
        [2, 9, 'v2 cancel', '204'],
      ],
    ],
    [
      'an order placed twice',
      [
        [1, 4, 'place', '201'],
        [2, 3, 'place', '201'],
      ],
      'absent',
    ],
    [
      'a read that goes back in time next to a change',
      [
        [1, 20, 'ship', '200'],
        [2, 3, 'get', '200 shipped'],
        [4, 5, 'get', '200 pending'],
      ],
    ],
    [
      'a read that goes back in time next to an unknown outcome',
      [
        [1, 2, 'ship'],
        [3, 4, 'get', '200 shipped'],
        [5, 6, 'get', '200 pending'],
      ],
    ],
    [
      'a rejection without a reason',
      [
        [1, 2, 'v1 cancel', '409 order_already_shipped'],
        [3, 4, 'get', '200 pending'],
      ],
    ],
    [
      'an effect before its cause',
      [
        [1, 2, 'get', '200 cancelled'],
        [3, 4, 'v2 cancel'],
      ],
    ],
    [
      'one unknown change that would have to count twice',
      [
        [1, 2, 'place'],
        [3, 4, 'v2 cancel', '204'],
        [5, 6, 'ship', '200'],
      ],
      'absent',
    ],
  ])('%s', (_, lines, initial) => {
    expect(violation(lines, initial)).toBeDefined();
  });

  it('and names the state and the impossible response', () => {
    const found = violation([
      [1, 2, 'ship', '200'],
      [3, 4, 'v2 cancel', '204'],
    ]);
    expect(found?.state).toBe('shipped');
    expect(found?.impossible.map(({ label }) => label)).toEqual(['v2 cancel: 204']);
  });
});

describe('the checker agrees with brute force', () => {
  const line = fc
    .tuple(
      fc.nat(12),
      fc.nat(6),
      fc.constantFrom<[RequestKind, string | undefined]>(
        ['v1 cancel', '204'],
        ['v1 cancel', '404 not_found'],
        ['v2 cancel', undefined],
        ['ship', '200'],
        ['ship', undefined],
        ['deliver', '200'],
        ['deliver', '409 invalid_transition'],
        ['get', '200 pending'],
        ['get', '200 shipped'],
        ['v1 list', 'missing'],
        ['v1 list', 'not complete'],
      ),
    )
    .map(([start, length, [kind, response]]) => operationOf({ kind, start, end: start + length, response }));

  it('on short histories of every kind', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const operations = lines as Operation<OrderState>[];
        const right = someOrderIsRight('pending', operations);
        if (right) accepted++;
        expect(findViolation('pending', operations) === undefined).toBe(right);
      }),
      tries(3_000),
    );
    expect(accepted).toBeGreaterThan(100);
  });

  /** The definition itself, without any shortcut. */
  function someOrderIsRight(state: OrderState, left: readonly Operation<OrderState>[]): boolean {
    if (left.every(({ end }) => end === Number.POSITIVE_INFINITY)) return true;
    return left.some((operation) => {
      if (left.some(({ end }) => end < operation.start)) return false;
      const after = operation.step(state);
      return (
        after !== undefined &&
        someOrderIsRight(
          after,
          left.filter((other) => other !== operation),
        )
      );
    });
  }
});
