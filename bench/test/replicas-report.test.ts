import { describe, expect, it } from 'vitest';
import { lostOrders } from '../src/measure/lost-orders.ts';
import { readReplicas, sections, sizing } from '../src/replicas-report.ts';
import { readSection } from '../src/report.ts';

describe('docs/SCALE.md', () => {
  it.each(Object.entries(sections))(
    'its section %s is computed from bench/replicas.json: npm run bench -- --sizing',
    (name, text) => {
      expect(readSection('SCALE.md', name)).toBe(text(readReplicas()));
    },
  );
});

it('the sizing multiplies the rows with the most replicas by their share of requests', () => {
  const costs = { perSecond: 1, standbyMicros: 1, poolerMicros: 2, walBytes: 1000 };
  const row = (request: 'list' | 'order' | 'page' | 'place64', replicas: number, micros: number) => ({
    ...costs,
    request,
    replicas,
    replicaMicros: micros,
    primaryMicros: 2 * micros,
  });
  const rows = [
    row('list', 1, 10_000),
    row('list', 2, 100),
    row('order', 2, 200),
    row('page', 2, 1000),
    row('place64', 2, 400),
  ];
  const found = sizing({ rows, onDisk: { order: 500, change: 100, store: 3000 } });
  expect(found.replicaCores).toBeCloseTo(26);
  expect(found.primaryCores).toBeCloseTo(52);
  expect(found.standbyCores).toBeCloseTo(0.1);
  expect(found.poolerCores).toBeCloseTo(0.2);
  expect(found.replicas).toBe(44);
  expect(found.walMegabytes).toBeCloseTo(100);
  expect(found.terabytes).toBeCloseTo(0.83);
});

describe('the check of a failover reports', () => {
  const [one, two] = [
    { id: 1, shipDate: 'a' },
    { id: 2, shipDate: 'b' },
  ];
  const others = { id: 3, shipDate: 'c' };

  it('nothing, if every acknowledged order is there once', () => {
    expect(lostOrders([one, two], [others, two, one])).toEqual([]);
  });

  it.each([
    ['an order that is lost', [one], '2 (found: none)'],
    ['an order whose id now belongs to another', [one, { id: 2, shipDate: 'c' }], '2 (found: none)'],
    ['an order that has another id', [one, { id: 3, shipDate: 'b' }], '2 (found: 3)'],
    ['an order that was placed twice', [one, two, { id: 3, shipDate: 'b' }], '2 (found: 2, 3)'],
  ])('%s', (_, listed, lost) => {
    expect(lostOrders([one, two], listed)).toEqual([lost]);
  });
});
