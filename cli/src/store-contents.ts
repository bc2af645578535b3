import { readFileSync } from 'node:fs';
import { type OwnData, parseJson, type ResetInput } from '../../client/src/index.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { countFrom, int64From } from './numbers.ts';
import type { Call } from './place.ts';

/** What a store is to hold, by the flags; undefined where none of them is given. */
export function contentsOf({ values }: Call): ResetInput | undefined {
  const { data, 'data-set': dataSet, seed, orders, today } = values;
  const isSetGiven = [dataSet, seed, orders, today].some((value) => value !== undefined);
  if (data !== undefined && isSetGiven)
    throw new UsageError(
      '--data is instead of a data set, and of its --seed, --orders and --today: give one of them',
    );
  if (data !== undefined) return { data: dataIn(String(data)) };
  if (!isSetGiven) return undefined;
  return {
    dataSet: (dataSet ?? 'default') as ResetInput['dataSet'],
    today: today === undefined ? undefined : String(today),
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
    orders: orders === undefined ? undefined : countFrom('--orders', orders, 1, 1_000_000),
  };
}

/** Every id stays exact. The mark at the beginning is of editors that note the encoding there. */
function dataIn(file: string): OwnData {
  try {
    return parseJson(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as OwnData;
  } catch (error) {
    throw new UsageError(`--data is '${file}': ${(error as Error).message}`);
  }
}
