import { writeJson } from '../../client/src/index.ts';
import { slowClient } from './api/client.ts';
import type { Order, Pet } from './api/store.ts';
import { filterOf, withoutPaging } from './orders-search.ts';

export type ExportFormat = 'csv' | 'json';

/** Page size of the export. */
const PAGE_SIZE = 1_000;

const columns = [
  'id',
  'petId',
  'petName',
  'quantity',
  'shipDate',
  'complete',
  'status',
  'placedAt',
  'updatedAt',
] as const;

interface ExportOptions {
  readonly search: string;
  readonly format: ExportFormat;
  readonly pets: ReadonlyMap<bigint, Pet>;
  readonly signal: AbortSignal;
  /** Called with the number of orders written so far. */
  readonly onProgress: (orders: number) => void;
}

/**
 * Exports all matching orders to a file. Each page becomes a Blob, which the browser may move to disk, so that memory
 * holds one page at a time.
 */
export async function exportOrders({
  search,
  format,
  pets,
  signal,
  onProgress,
}: ExportOptions): Promise<{ file: Blob; orders: number }> {
  const pieces: Blob[] = [];
  const add = (text: string) => pieces.push(new Blob([text]));
  const filter = { ...filterOf(withoutPaging(search)), limit: PAGE_SIZE };
  let written = 0;
  add(format === 'csv' ? `${columns.join()}\r\n` : '[');
  let page: { data: readonly Order[]; next(): Promise<typeof page> } | undefined =
    await slowClient.orders.list(filter, { signal });
  while (page) {
    const { data } = page;
    if (format === 'csv') add(data.map((order) => csvRow(order, pets.get(order.petId)?.name ?? '')).join(''));
    else if (data.length > 0)
      add(`${written > 0 ? ',' : ''}\n${data.map((order) => writeJson(order)).join(',\n')}`);
    written += data.length;
    onProgress(written);
    page = await page.next();
  }
  if (format === 'json') add('\n]\n');
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  return { file: new Blob(pieces, { type }), orders: written };
}

function csvRow(order: Order, petName: string): string {
  const fields = columns.map((column) => (column === 'petName' ? csvText(petName) : String(order[column])));
  return `${fields.join()}\r\n`;
}

/** Quotes a CSV field. A leading apostrophe keeps spreadsheets from running text as a formula. */
function csvText(text: string): string {
  const safe = /^[\s]*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Revoked later, once the browser has started the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
