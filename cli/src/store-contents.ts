import { readFileSync } from 'node:fs';
import { type OwnData, parseJson, type ResetInput } from '../../client/src/index.ts';
import { inputLimits } from '../../console/src/api/contract.generated.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import type { Call } from './command-group.ts';
import { countFrom, int64From } from './numbers.ts';

/** The requested store contents; undefined if no flag sets any. */
export function contentsOf({ values }: Call): ResetInput | undefined {
  const { data, 'data-set': dataSet, seed, orders, today } = values;
  const hasDataSetFlag = [dataSet, seed, orders, today].some((value) => value !== undefined);
  if (data !== undefined && hasDataSetFlag)
    throw new UsageError('--data cannot be combined with --data-set, --seed, --orders or --today');
  if (data !== undefined) return { data: dataIn(String(data)) };
  if (!hasDataSetFlag) return undefined;
  return {
    dataSet: (dataSet ?? 'default') as ResetInput['dataSet'],
    today: today === undefined ? undefined : String(today),
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
    orders: orders === undefined ? undefined : countFrom('--orders', orders, inputLimits.orders),
  };
}

/** Parses with exact ids. Strips a byte order mark. */
function dataIn(file: string): OwnData {
  try {
    return parseJson(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as OwnData;
  } catch (error) {
    throw new UsageError(`invalid --data '${file}': ${(error as Error).message}`);
  }
}
