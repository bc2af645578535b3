import { expect, it } from 'vitest';
import { chart, scaleCells } from '../src/scale-report.ts';

const row = {
  engine: 'sqlite',
  growth: 'orders',
  size: 10_000,
  costs: { page: 250.4, place: 99.5 },
} as const;

it('an operation that was not measured has a dash', () => {
  expect(scaleCells(row)).toEqual(['sqlite', 'orders', '10,000', '–', '250', '–', '100', '–', '–', '–']);
});

it('the chart has a panel for each engine and growth, and a point for each size that was measured', () => {
  const rows = [
    { ...row, size: 100, costs: { page: 10 } },
    { ...row, costs: { page: 1000 } },
    { ...row, engine: 'postgres' as const },
  ];
  const svg = chart(rows);
  expect(svg.match(/<rect/g)).toHaveLength(2);
  expect(svg).toContain('orders, sqlite: 100 → 10,000');
  // From the bottom of the panel to its top.
  expect(svg).toContain('points="60,180.0 400,50.0"');
});
