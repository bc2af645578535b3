import { readFileSync, writeFileSync } from 'node:fs';
import { type OrderStatus, orderStatuses } from '../server/src/domain/vocabulary.ts';
import { transitions } from '../server/src/orders/states.ts';

const BOX = { width: 120, height: 44 };
const STEP = { x: 220, y: 110 };
const MARGIN = 20;

/** Top left corners of the boxes. The column is the distance from the first state, the row the index at that distance. */
function positions(): Map<OrderStatus, { x: number; y: number }> {
  const [first] = orderStatuses;
  const column = new Map<OrderStatus, number>([[first, 0]]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { from, to } of Object.values(transitions)) {
      const distance = column.get(from);
      if (distance === undefined || column.has(to)) continue;
      column.set(to, distance + 1);
      grew = true;
    }
  }
  const rows = new Map<number, number>();
  return new Map(
    orderStatuses.map((status) => {
      const x = column.get(status);
      if (x === undefined) throw new Error(`no transition leads to ${status}`);
      const y = rows.get(x) ?? 0;
      rows.set(x, y + 1);
      return [status, { x: MARGIN + x * STEP.x, y: MARGIN + y * STEP.y }];
    }),
  );
}

/** The state machine as a picture, drawn from the program's transition table. */
function statesPicture(): string {
  const corners = positions();
  const cornerOf = (status: OrderStatus) => corners.get(status) as { x: number; y: number };
  const hasTransition = (status: OrderStatus) =>
    Object.values(transitions).some(({ from }) => from === status);
  const boxes = orderStatuses.map((status) => {
    const { x, y } = cornerOf(status);
    return `  <rect class="${hasTransition(status) ? 'state' : 'state last'}" x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="10"/>
  <text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}">${status}</text>`;
  });
  const arrows = Object.entries(transitions).map(([name, { from, to }]) => {
    const start = { x: cornerOf(from).x + BOX.width, y: cornerOf(from).y + BOX.height / 2 };
    const end = { x: cornerOf(to).x, y: cornerOf(to).y + BOX.height / 2 };
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    return `  <path class="arrow" d="M${start.x} ${start.y}C${middle.x} ${start.y} ${middle.x} ${end.y} ${end.x - 2} ${end.y}"/>
  <text class="name" x="${middle.x}" y="${middle.y - 8}">${name}</text>`;
  });
  const all = [...corners.values()];
  const width = Math.max(...all.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(...all.map(({ y }) => y)) + BOX.height + MARGIN;
  const sentence = Object.entries(transitions)
    .map(([name, { from, to }]) => `${name}: ${from} to ${to}`)
    .join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">The states of an order. ${sentence}.</title>
  <style>
    text { font: 15px system-ui, sans-serif; text-anchor: middle; fill: #1c2733; }
    .name { font-size: 13px; paint-order: stroke; stroke: #fff; stroke-width: 6px; }
    .state { fill: #eaf2fb; stroke: #2f6db3; stroke-width: 1.5; }
    .last { fill: #f1f1f1; stroke: #6b7682; }
    .arrow { fill: none; stroke: #2f6db3; stroke-width: 1.5; marker-end: url(#head); }
  </style>
  <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#2f6db3"/></marker>
  <rect width="${width}" height="${height}" fill="#fff"/>
${[...arrows, ...boxes].join('\n')}
</svg>
`;
}

/** Draws the picture; with --check, fails if the committed one differs. */
const file = new URL('../docs/order-states.svg', import.meta.url);
if (!process.argv.includes('--check')) writeFileSync(file, statesPicture());
else if (readFileSync(file, 'utf8') !== statesPicture()) {
  console.error('docs/order-states.svg differs from the program; run: npm run contract');
  process.exitCode = 1;
}
