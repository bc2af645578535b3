import { mkdirSync, writeFileSync } from 'node:fs';
import { barChart, type ChartBar } from './chart.ts';
import type { Row } from './row.ts';

const folder = new URL('../../docs/charts/', import.meta.url);

/** How the names in the figures are written on a chart. */
const labels: Record<string, string> = {
  petstore: 'Pet Store',
  bare: 'bare node:http',
  nginx: 'nginx, a file',
  jsonServer: 'json-server',
  prism: "Prism's mock",
};

/** Draws what was measured; a scenario that did not run keeps the chart it has. */
export function drawCharts(rows: readonly Row[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, chart] of Object.entries(charts(rows))) {
    if (chart.bars.length > 0)
      writeFileSync(new URL(file, folder), barChart(chart.title, chart.unit, chart.bars));
  }
}

function charts(rows: readonly Row[]): Record<string, { title: string; unit: string; bars: ChartBar[] }> {
  const of = (scenario: string) => rows.filter((row) => row.scenario === scenario);
  const engine = of('list')[0]?.engine;
  const rates = Object.assign(
    {},
    ...of('list')
      .filter((row) => row.engine === engine)
      .map((row) => row.figures),
  );
  return {
    'list.svg': {
      title: 'listOrders, 100 orders, 64 connections',
      unit: 'answers a second on one core',
      bars: Object.entries<number>(rates)
        .map(([name, value]) => ({ label: labels[name] ?? name, value, ours: name === 'petstore' }))
        .sort((a, b) => b.value - a.value),
    },
    'cancel.svg': {
      title: 'cancelOrder, 64 connections, each on disk',
      unit: 'answers a second on one core',
      bars: of('cancel')
        .filter(({ what }) => what.startsWith('cancels, '))
        .flatMap(({ engine, figures }) => [
          { label: `Pet Store, ${engine}`, value: figures.petstore ?? 0, ours: true },
          { label: `one commit each, ${engine}`, value: figures.bare ?? 0 },
        ]),
    },
    'large-list.svg': {
      title: 'listOrders, 1,000,000 orders, after a change',
      unit: 'milliseconds to the last byte',
      bars: of('large')
        .filter(({ figures }) => figures.petstoreMs !== undefined)
        .flatMap(({ engine, figures }) => [
          { label: `Pet Store, ${engine}`, value: figures.petstoreMs ?? 0, ours: true },
          { label: 'bare node:http, a buffer', value: figures.bareMs ?? 0 },
        ]),
    },
    'bars.svg': {
      title: 'Rates of the list, of bare node:http sending the same bytes',
      unit: 'ratio',
      bars: rows
        .filter(({ what, unit }) => unit === '×' && what.endsWith('of bare node:http'))
        .map(({ what, engine, median }) => ({
          label: `${what.replace(', of bare node:http', '')}, ${engine}`,
          value: median,
          ours: true,
        })),
    },
  };
}
