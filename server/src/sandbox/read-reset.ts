import { parseDateTime } from '../http/content/date-time.ts';
import { invalidBody, objectWith } from '../http/fields/body.ts';
import { type DataSet, type DataSetName, dataSetNames } from './data-sets.ts';
import { DEFAULT_ORDERS, FIRST_TODAY, LAST_TODAY, MOST_ORDERS } from './limits.ts';

const DEFAULT_SEED = 1n;

const fields = ['dataSet', 'seed', 'orders', 'today'];

/** What a store is to be filled with, dated from this day unless another is asked for. */
export function readReset(body: unknown, presentDay: bigint): DataSet {
  const { dataSet, seed = DEFAULT_SEED, orders, today } = objectWith(fields, body);
  if (!dataSetNames.includes(dataSet as DataSetName))
    throw invalidBody(`'dataSet' must be one of ${dataSetNames.join(', ')}`);
  if (typeof seed !== 'bigint') throw invalidBody("'seed' must be an integer of 64 bits");
  if (orders !== undefined && dataSet !== 'large')
    throw invalidBody("'orders' is only for the data set large");
  const count = orders ?? DEFAULT_ORDERS;
  if (typeof count !== 'bigint' || count < 1n || count > MOST_ORDERS)
    throw invalidBody(`'orders' must be an integer from 1 to ${MOST_ORDERS}`);
  const day = today === undefined ? presentDay : dayOf(today);
  if (day === undefined || day < FIRST_TODAY || day > LAST_TODAY)
    throw invalidBody("'today' must be a day from 1970-01-01 to 9998-12-31, such as 2026-11-16");
  return { dataSet: dataSet as DataSetName, seed, orders: count, today: day };
}

function dayOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseDateTime(`${value}T00:00:00Z`) : undefined;
}
