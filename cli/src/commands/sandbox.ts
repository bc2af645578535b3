import { readFileSync } from 'node:fs';
import {
  type ArmedFault,
  type FaultInput,
  type NewStore,
  type OwnData,
  parseJson,
  type ResetInput,
  type StoreReset,
  writeJson,
} from '../../../client/src/index.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { clientOf } from '../connection.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, print, Rows, show, waiting } from '../output.ts';
import type { Call } from '../place.ts';

/** A large store takes a while to make. */
const LONGEST_RESET_MS = 600_000;

const resetColumns: readonly Column<StoreReset>[] = [
  ['DATA SET', ({ dataSet }) => dataSet],
  ['SEED', ({ seed }) => seed],
  ['ORDERS', ({ orders }) => orders],
  ['PETS', ({ pets }) => pets],
  ['REVISION', ({ revision }) => revision],
];

export async function resetStore(call: Call): Promise<void> {
  const input = contentsOf(call);
  const client = clientOf(call, { timeout: LONGEST_RESET_MS, tryTimeout: LONGEST_RESET_MS });
  const { data, dataSet, orders } = input;
  const what = data
    ? 'filling the store with your data'
    : `making the data set ${dataSet}${orders === undefined ? '' : ` with ${orders} orders`}`;
  await show(await waiting(what, client.sandbox.reset(input)), resetColumns, call);
}

/** What a store is to hold, by the flags. */
function contentsOf({ values }: Call): ResetInput {
  const { data, 'data-set': dataSet, seed, orders, today } = values;
  if (data !== undefined) {
    if ([dataSet, seed, orders, today].some((other) => other !== undefined))
      throw new UsageError('--data is instead of a data set, and of what belongs to one');
    return { data: dataIn(String(data)) };
  }
  return {
    dataSet: (dataSet ?? 'default') as ResetInput['dataSet'],
    today: today === undefined ? undefined : String(today),
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
    orders: orders === undefined ? undefined : countFrom('--orders', orders, 1, 1_000_000),
  };
}

function dataIn(file: string): OwnData {
  try {
    return parseJson(readFileSync(file, 'utf8')) as OwnData;
  } catch (error) {
    throw new UsageError(`--data is '${file}': ${(error as Error).message}`);
  }
}

/** Prints the store as `--data` takes it. */
export async function exportData(call: Call): Promise<void> {
  await print(`${writeJson(await clientOf(call).sandbox.data(), '  ')}\n`);
}

const storeColumns: readonly Column<NewStore>[] = [
  ['KEY', ({ key }) => key],
  ['ENDS', ({ expiresAt }) => expiresAt],
  ['ORDERS', ({ orders }) => orders],
  ['PETS', ({ pets }) => pets],
];

export async function openStore(call: Call): Promise<void> {
  const { 'expires-in': seconds } = call.values;
  const expiresIn = seconds === undefined ? undefined : countFrom('--expires-in', seconds, 60, 86_400);
  const client = clientOf(call, { timeout: LONGEST_RESET_MS, tryTimeout: LONGEST_RESET_MS });
  const input = { ...contentsOf(call), expiresIn };
  await show(await waiting('opening a store', client.sandbox.openStore(input)), storeColumns, call);
}

export async function endStore(call: Call): Promise<void> {
  await clientOf(call).sandbox.endStore();
}

const faultColumns: readonly Column<ArmedFault>[] = [
  ['OPERATION', ({ operation }) => operation],
  ['FAULT', ({ fault }) => fault],
  [
    'WITH',
    ({ parameters = {} }) =>
      Object.entries(parameters)
        .map((entry) => entry.join(' '))
        .join(', ') || '-',
  ],
  ['TIMES', ({ times }) => times ?? 'always'],
  ['PROBABILITY', ({ probability }) => probability],
  ['FIRED', ({ fired }) => fired],
];

export async function listFaults(call: Call): Promise<void> {
  await showFaults(call, await clientOf(call).sandbox.faults());
}

export async function armFault(call: Call): Promise<void> {
  const [operation = '', fault = ''] = call.args;
  const {
    code,
    ms,
    'retry-after': retryAfter,
    'retry-after-form': form,
    times,
    probability,
    seed,
  } = call.values;
  const parameters = {
    ...(code === undefined ? {} : { code: countFrom('--code', code, 400, 599) }),
    ...(ms === undefined ? {} : { ms: countFrom('--ms', ms, 0, 30_000) }),
    ...(retryAfter === undefined ? {} : { retryAfter: countFrom('--retry-after', retryAfter, 0, 3_600) }),
    ...(form === undefined ? {} : { retryAfterForm: String(form) }),
  };
  const rule = {
    operation,
    fault: fault as FaultInput['fault'],
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    times:
      times === 'always' ? null : times === undefined ? undefined : countFrom('--times', times, 1, 1_000_000),
    probability: probability === undefined ? undefined : probabilityFrom(probability),
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
  };
  await showFaults(call, await clientOf(call).sandbox.setFaults([rule]));
}

export async function clearFaults(call: Call): Promise<void> {
  await clientOf(call).sandbox.clearFaults();
}

async function showFaults(call: Call, faults: readonly ArmedFault[]): Promise<void> {
  const rows = new Rows(faultColumns, call);
  await rows.write(faults);
  await rows.end();
}

function probabilityFrom(text: string | boolean): number {
  const number = Number(text);
  if (/^\d*\.?\d+$/.test(String(text)) && number <= 1) return number;
  throw new UsageError(`--probability is '${text}': it must be a number from 0 to 1`);
}
