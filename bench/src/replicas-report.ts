import { readFileSync, writeFileSync } from 'node:fs';
import { markdownTable, writeSection } from './report.ts';
import type { ReplicaRow, Replicas } from './rows/replicas.ts';

/** Measured by `npm run bench -- --replicas`; docs/SCALE.md shows it. */
const resultsFile = new URL('../replicas.json', import.meta.url);

export interface StoredReplicas extends Replicas {
  readonly about: string;
}

const titles: Record<ReplicaRow['request'], string> = {
  list: 'list of 100, unchanged',
  304: 'list, 304',
  order: 'a different order each time',
  page: 'a different page of 40 each time',
  place: 'place, one store',
  place64: 'place, 63 stores',
  cancel: 'cancel, one store',
};

export const replicaColumns = [
  'request',
  'replicas',
  'replica CPU',
  'primary CPU',
  'standby CPU',
  'PgBouncer CPU',
  'WAL',
  'per second',
];

/** The cells of one row, or of the rows of one request with different numbers of replicas, separated by slashes. */
export function replicaCells(...rows: readonly ReplicaRow[]): string[] {
  const each = (text: (row: ReplicaRow) => string) => rows.map(text).join('/');
  const micros = (figure: 'replicaMicros' | 'primaryMicros' | 'standbyMicros' | 'poolerMicros') =>
    `${each((row) => row[figure]?.toFixed(0) ?? '–')} µs`;
  return [
    rows[0] ? titles[rows[0].request] : '',
    each((row) => String(row.replicas)),
    micros('replicaMicros'),
    micros('primaryMicros'),
    micros('standbyMicros'),
    micros('poolerMicros'),
    `${each(({ walBytes }) => (walBytes / 1000).toFixed(1))} kB`,
    each(({ perSecond }) => perSecond.toLocaleString('en', { maximumFractionDigits: 0 })),
  ];
}

/** The deployment to be sized. */
const TARGET = {
  stores: 10_000_000,
  orders: 1_000_000_000,
  changesPerOrder: 3,
  perSecond: 100_000,
  mix: { list: 0.5, order: 0.25, page: 0.1, place64: 0.15 } satisfies Partial<
    Record<ReplicaRow['request'], number>
  >,
  load: 0.6,
  /** Of each replica: see docs/operations/REPLICAS.md. */
  connections: 29,
} as const;

export interface Sizing {
  readonly replicaCores: number;
  readonly primaryCores: number;
  readonly standbyCores: number;
  /** Without PgBouncer, which the measurement uses if it is installed: undefined. */
  readonly poolerCores: number | undefined;
  readonly replicas: number;
  readonly connections: number;
  readonly walMegabytes: number;
  readonly terabytes: number;
}

/** Computes the deployment for `TARGET` from the rows with the most replicas. */
export function sizing({ rows, onDisk }: Pick<Replicas, 'rows' | 'onDisk'>): Sizing {
  const most = Math.max(...rows.map(({ replicas }) => replicas));
  type Figure = 'replicaMicros' | 'primaryMicros' | 'standbyMicros' | 'poolerMicros' | 'walBytes';
  const perRequest = (figure: Figure) =>
    Object.entries(TARGET.mix).reduce((sum, [request, share]) => {
      const row = rows.find((each) => each.request === request && each.replicas === most);
      if (!row) throw new Error(`${request} with ${most} replicas was not measured`);
      return sum + share * (row[figure] ?? Number.NaN);
    }, 0);
  const cores = (figure: Exclude<Figure, 'walBytes'>) => (TARGET.perSecond * perRequest(figure)) / 1e6;
  const replicas = Math.ceil(cores('replicaMicros') / TARGET.load);
  const bytes =
    TARGET.orders * (onDisk.order + TARGET.changesPerOrder * onDisk.change) + TARGET.stores * onDisk.store;
  return {
    replicaCores: cores('replicaMicros'),
    primaryCores: cores('primaryMicros'),
    standbyCores: cores('standbyMicros'),
    poolerCores: rows[0]?.poolerMicros === undefined ? undefined : cores('poolerMicros'),
    replicas,
    connections: replicas * TARGET.connections,
    walMegabytes: (TARGET.perSecond * perRequest('walBytes')) / 1e6,
    terabytes: bytes / 1e12,
  };
}

function measuredText({ about, through, rows, onDisk, failover, control }: StoredReplicas): string {
  const figure = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });
  const byRequest = [...Map.groupBy(rows, ({ request }) => request).values()];
  return `${about} Replicas reached the database through ${through}. CPU time and WAL
are per request; the figures are for one, two and three replicas.

${markdownTable([replicaColumns, ...byRequest.map((of) => replicaCells(...of))])}

On disk, indexes included: an order takes ${onDisk.order.toFixed(0)} B, a change ${onDisk.change.toFixed(0)} B, a store with its key and pets
${figure(onDisk.store / 1000)} kB.

**Failover.** \`kill -9\` of the primary while 16 clients placed orders on three replicas: of ${figure(failover.acknowledged)} acknowledged orders
(${figure(failover.beforeKill)} before the kill), ${failover.lost || 'none'} were lost or placed twice. The first change succeeded ${figure(failover.recoverySeconds)} s after the kill, and that of every client within ${figure(failover.everyClientSeconds)} s; the
standby was promoted at once, so add the time that you need to notice. As a control, the same run without synchronous replication and
with a standby that receives nothing: of ${figure(control.acknowledged)} acknowledged orders (${figure(control.beforeKill)} before the kill),
the check reported ${figure(control.lost)} as lost.`;
}

function sizingText(measured: StoredReplicas): string {
  const found = sizing(measured);
  const figure = (value: number, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits });
  const { mix } = TARGET;
  const share = (value: number) => `${figure(value * 100)}%`;
  const rows = [
    ['part', 'needs'],
    [
      'replicas',
      `${figure(found.replicaCores)} cores of CPU time: ${figure(found.replicas)} single-core replicas`,
    ],
    [
      'primary',
      `${figure(found.primaryCores)} cores of CPU time: ${figure(found.primaryCores / TARGET.load)} cores`,
    ],
    ['standby', `${figure(found.standbyCores, 1)} cores of CPU time, and the same disk`],
    ...(found.poolerCores === undefined
      ? []
      : [
          [
            'PgBouncer',
            `${figure(found.poolerCores, 1)} cores of CPU time: ${figure(Math.ceil(found.poolerCores / TARGET.load))} processes`,
          ],
        ]),
    ['connections', figure(found.connections)],
    ['WAL', `${figure(found.walMegabytes)} MB/s`],
    ['disk', `${figure(found.terabytes, 1)} TB`],
  ];
  return `For ${figure(TARGET.stores)} stores, ${figure(TARGET.orders)} orders with ${TARGET.changesPerOrder} changes each, and ${figure(TARGET.perSecond)} requests a second
(${share(mix.list)} lists, ${share(mix.order)} orders, ${share(mix.page)} pages, ${share(mix.place64)} changes), at ${share(TARGET.load)} load, computed from the table:

${markdownTable(rows)}`;
}

/** Functions that write the sections of docs/SCALE.md, by section name. */
export const sections = { replicas: measuredText, sizing: sizingText } as const;

export function readReplicas(): StoredReplicas {
  return JSON.parse(readFileSync(resultsFile, 'utf8'));
}

export function writeReplicas(measured: StoredReplicas): void {
  writeFileSync(resultsFile, `${JSON.stringify(measured, null, 2)}\n`);
  for (const [name, text] of Object.entries(sections)) writeSection('SCALE.md', name, text(measured));
}
