import type { ArmedFault, FaultInput, ResetInput, StoreReset } from '../../../client/src/index.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { clientOf } from '../connection.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, Rows, show, waiting } from '../output.ts';
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
  const { 'data-set': dataSet = 'default', seed, orders } = call.values;
  const input = {
    dataSet: dataSet as ResetInput['dataSet'],
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
    orders: orders === undefined ? undefined : countFrom('--orders', orders, 1, 1_000_000),
  };
  const client = clientOf(call, { timeout: LONGEST_RESET_MS, tryTimeout: LONGEST_RESET_MS });
  const what = `making the data set ${dataSet}${orders === undefined ? '' : ` with ${orders} orders`}`;
  const reset = await waiting(what, client.sandbox.reset(input));
  await show(reset, resetColumns, call);
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
  const { code, ms, times, probability, seed } = call.values;
  const parameters = {
    ...(code === undefined ? {} : { code: countFrom('--code', code, 400, 599) }),
    ...(ms === undefined ? {} : { ms: countFrom('--ms', ms, 0, 30_000) }),
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
