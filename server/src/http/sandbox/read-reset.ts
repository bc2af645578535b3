import { type DataSet, type DataSetName, dataSetNames } from '../../stores/data-sets.ts';
import { ApiError } from '../errors.ts';
import { DEFAULT_ORDERS, MOST_ORDERS } from './limits.ts';

const DEFAULT_SEED = 1n;

export function wrong(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body is not valid: ${problem}.`);
}

/** The fields of a JSON object that has no others than these. */
export function fieldsOf(value: unknown, known: readonly string[], what = 'it'): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${what} must be a JSON object`);
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) throw wrong(`'${unknown.slice(0, 100)}' is not a field of ${what}`);
  return value as Record<string, unknown>;
}

/** What a store is to be filled with. */
export function readReset(body: unknown): DataSet {
  const { dataSet, seed = DEFAULT_SEED, orders } = fieldsOf(body, ['dataSet', 'seed', 'orders']);
  if (!dataSetNames.includes(dataSet as DataSetName))
    throw wrong(`'dataSet' must be one of ${dataSetNames.join(', ')}`);
  if (typeof seed !== 'bigint') throw wrong("'seed' must be an integer of 64 bits");
  if (orders !== undefined && dataSet !== 'large') throw wrong("'orders' is only for the data set large");
  const count = orders ?? DEFAULT_ORDERS;
  if (typeof count !== 'bigint' || count < 1n || count > MOST_ORDERS)
    throw wrong(`'orders' must be an integer from 1 to ${MOST_ORDERS}`);
  return { dataSet: dataSet as DataSetName, seed, orders: count };
}
