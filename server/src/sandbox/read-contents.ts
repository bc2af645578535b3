import { parseDateTime } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { invalidBody } from '../http/fields/body.ts';
import { startOfDay } from '../orders/demonstration-data.ts';
import type { Quotas } from '../quotas.ts';
import { type Contents, type DataSet, type DataSetName, dataSetNames, extentOf } from './data-sets.ts';
import { DEFAULT_ORDERS, FIRST_TODAY, LAST_TODAY, MOST_ORDERS } from './limits.ts';
import { readOwnData } from './own-data.ts';

const DEFAULT_SEED = 1n;

/** The fields of a body that say what a store is to be filled with. */
export const contentFields = ['dataSet', 'seed', 'orders', 'today', 'data'];
type Given = Readonly<Record<string, unknown>>;

/** What a store is to be filled with, at this moment; no more than a store may have. */
export async function readContents(given: Given, now: number, quotas: Quotas): Promise<Contents> {
  const contents = given.data === undefined ? readDataSet(given, now) : await readOwn(given, now);
  const { orders, pets } = extentOf(contents);
  const { dataSet } = contents;
  if ((dataSet === 'large' || dataSet === 'own') && orders > quotas.orders)
    throw new ApiError('order_limit_reached');
  if (dataSet === 'own' && pets > quotas.pets) throw new ApiError('pet_limit_reached');
  return contents;
}

async function readOwn({ data, ...others }: Given, now: number): Promise<Contents> {
  const other = contentFields.find((name) => others[name] !== undefined);
  if (other !== undefined) throw invalidBody(`'${other}' does not go with 'data'`);
  return { dataSet: 'own', seed: null, own: await readOwnData(data, BigInt(now)) };
}

function readDataSet({ dataSet, seed = DEFAULT_SEED, orders, today }: Given, now: number): DataSet {
  if (!dataSetNames.includes(dataSet as DataSetName))
    throw invalidBody(`'dataSet' must be one of ${dataSetNames.join(', ')}, or 'data' be given`);
  if (typeof seed !== 'bigint') throw invalidBody("'seed' must be an integer of 64 bits");
  if (orders !== undefined && dataSet !== 'large')
    throw invalidBody("'orders' is only for the data set large");
  const count = orders ?? DEFAULT_ORDERS;
  if (typeof count !== 'bigint' || count < 1n || count > MOST_ORDERS)
    throw invalidBody(`'orders' must be an integer from 1 to ${MOST_ORDERS}`);
  const day = today === undefined ? startOfDay(now) : dayOf(today);
  if (day === undefined || day < FIRST_TODAY || day > LAST_TODAY)
    throw invalidBody("'today' must be a day from 1970-01-01 to 9998-12-31, such as 2026-11-16");
  return { dataSet: dataSet as DataSetName, seed, orders: count, today: day };
}

function dayOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseDateTime(`${value}T00:00:00Z`) : undefined;
}
