import { invalidBody, objectWith } from '../http/fields/body.ts';
import { type DataSet, type DataSetName, dataSetNames } from './data-sets.ts';
import { DEFAULT_ORDERS, MOST_ORDERS } from './limits.ts';

const DEFAULT_SEED = 1n;

/** What a store is to be filled with. */
export function readReset(body: unknown): DataSet {
  const { dataSet, seed = DEFAULT_SEED, orders } = objectWith(['dataSet', 'seed', 'orders'], body);
  if (!dataSetNames.includes(dataSet as DataSetName))
    throw invalidBody(`'dataSet' must be one of ${dataSetNames.join(', ')}`);
  if (typeof seed !== 'bigint') throw invalidBody("'seed' must be an integer of 64 bits");
  if (orders !== undefined && dataSet !== 'large')
    throw invalidBody("'orders' is only for the data set large");
  const count = orders ?? DEFAULT_ORDERS;
  if (typeof count !== 'bigint' || count < 1n || count > MOST_ORDERS)
    throw invalidBody(`'orders' must be an integer from 1 to ${MOST_ORDERS}`);
  return { dataSet: dataSet as DataSetName, seed, orders: count };
}
