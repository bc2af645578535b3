import type { ServiceOptions } from './check-service.ts';

/** The changes that a run will make. */
export function changesText(base: string, count: number, options: ServiceOptions): string {
  const { level, isReadOnly, staging } = options;
  const head = `Checking ${base} at level ${level}: ${count} checks.`;
  if (isReadOnly) return `${head} Read-only: nothing is changed, and checks that need a change are skipped.`;
  return [head, 'This run changes the store:', ...changesOf(options).map((line) => `- ${line}`)]
    .concat(staging ? [`Staging, ${staging.url}: its store is changed as well${resetText(level)}.`] : [])
    .concat('Pass --read-only to change nothing.')
    .join('\n');
}

function changesOf({ level, named, isDocumentedOnly }: ServiceOptions): string[] {
  const { pending, shipped } = named;
  const cancelled =
    pending === undefined
      ? 'it cancels one pending order, found by trial and error (--pending ID chooses it)'
      : `it cancels order ${pending}`;
  const rejected =
    shipped === undefined
      ? 'it tries to cancel orders that have shipped, which the service must reject (--shipped ID chooses one)'
      : `it tries to cancel order ${shipped}, which the service must reject because it has shipped`;
  if (level === 'spec') return [cancelled, rejected];
  if (level === 'v1' || isDocumentedOnly)
    return [cancelled, 'it cancels up to 6 further pending orders', rejected];
  return [
    cancelled,
    rejected,
    'it creates pets, and places, ships and cancels orders for them; the orders remain, and the pets, with no stock',
    'it creates webhooks, and deletes them',
  ];
}

const resetText = (level: string): string =>
  level === 'all' ? ', and reset to the demo data at the end' : '';
