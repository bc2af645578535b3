import { didYouMean } from '../../../checks/src/engine/suggest.ts';
import {
  type ArmedFault,
  type FaultInput,
  type NewStore,
  type ResetInput,
  type StoreReset,
  writeJson,
} from '../../../client/src/index.ts';
import { resetTimeouts } from '../../../client/src/time.ts';
import { documentedErrors, inputLimits } from '../../../console/src/api/contract.generated.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { faultKinds } from '../../../server/src/sandbox/fault-kinds.ts';
import type { Call } from '../command-group.ts';
import { clientOf } from '../connection.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, print, Rows, show, utc, withElapsedTime } from '../output.ts';
import { contentsOf } from '../store-contents.ts';

const defaultContents: ResetInput = { dataSet: 'default' };

const resetColumns: readonly Column<StoreReset>[] = [
  ['DATA SET', ({ dataSet }) => dataSet],
  ['SEED', ({ seed }) => seed],
  ['ORDERS', ({ orders }) => orders],
  ['PETS', ({ pets }) => pets],
  ['REVISION', ({ revision }) => revision],
];

export async function resetStore(call: Call): Promise<void> {
  const input = contentsOf(call) ?? defaultContents;
  const client = clientOf(call, resetTimeouts);
  const { data, dataSet, orders } = input;
  const what = data
    ? 'Loading your data'
    : `Generating data set ${dataSet}${orders === undefined ? '' : ` with ${orders} orders`}`;
  await show(await withElapsedTime(what, client.sandbox.reset(input), call), resetColumns, call);
}

/** Prints the store in the format of `--data`. */
export async function exportData(call: Call): Promise<void> {
  await print(`${writeJson(await clientOf(call).sandbox.data(), '  ')}\n`, call);
}

const storeColumns: readonly Column<NewStore>[] = [
  ['KEY', ({ key }) => key],
  ['EXPIRES', ({ expiresAt }) => utc(expiresAt)],
  ['ORDERS', ({ orders }) => orders],
  ['PETS', ({ pets }) => pets],
];

export async function openStore(call: Call): Promise<void> {
  const { 'expires-in': seconds } = call.values;
  const expiresIn =
    seconds === undefined ? undefined : countFrom('--expires-in', seconds, inputLimits.expiresIn);
  const client = clientOf(call, resetTimeouts);
  const input = { ...(contentsOf(call) ?? defaultContents), expiresIn };
  const opened = await withElapsedTime('Opening a store', client.sandbox.openStore(input), call);
  await show(opened, storeColumns, call);
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
    ...(code === undefined ? {} : { code: countFrom('--code', code, inputLimits.code) }),
    ...(ms === undefined ? {} : { ms: countFrom('--ms', ms, inputLimits.ms) }),
    ...(retryAfter === undefined
      ? {}
      : { retryAfter: countFrom('--retry-after', retryAfter, inputLimits.retryAfter) }),
    ...(form === undefined ? {} : { retryAfterForm: String(form) }),
  };
  checkFault(operation, fault, parameters);
  const rule = {
    operation,
    fault: fault as FaultInput['fault'],
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    times:
      times === 'always'
        ? null
        : times === undefined
          ? undefined
          : countFrom('--times', times, inputLimits.times),
    probability: probability === undefined ? undefined : probabilityFrom(probability),
    seed: seed === undefined ? undefined : int64From('--seed', seed, -(2n ** 63n)),
  };
  await showFaults(call, await clientOf(call).sandbox.setFaults([rule]));
}

/** Validates here, so that errors name flags instead of fields of a request body. */
function checkFault(operation: string, fault: string, given: { code?: number }): void {
  const documented = new Map<string, readonly number[]>(Object.entries(documentedErrors)).get(operation);
  const kind = new Map<string, { parameters: readonly string[] }>(Object.entries(faultKinds)).get(fault);
  if (!documented && operation !== '*')
    throw new UsageError(
      `unknown operation '${operation}'${didYouMean(operation, Object.keys(documentedErrors))}; ${helpHint}`,
    );
  if (!kind)
    throw new UsageError(
      `unknown fault '${fault}'${didYouMean(fault, Object.keys(faultKinds))}; ${helpHint}`,
    );
  const [required] = kind.parameters;
  const unaccepted = Object.keys(given).find((name) => !kind.parameters.includes(name));
  if (required !== undefined && !(required in given))
    throw new UsageError(`fault ${fault} requires --${required}`);
  if (unaccepted !== undefined) throw new UsageError(`fault ${fault} does not accept ${flagOf(unaccepted)}`);
  if (given.code === undefined || !documented || documented.includes(given.code)) return;
  throw new UsageError(`invalid --code ${given.code}: ${operation} returns one of ${documented.join(', ')}`);
}

const helpHint = 'run petstore sandbox faults arm --help';
const flagOf = (parameter: string) =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export async function clearFaults(call: Call): Promise<void> {
  await clientOf(call).sandbox.clearFaults();
}

async function showFaults(call: Call, faults: readonly ArmedFault[]): Promise<void> {
  const rows = new Rows(faultColumns, call, 'faults armed');
  await rows.write(faults);
  await rows.end();
}

function probabilityFrom(text: string | boolean): number {
  const number = Number(text);
  if (/^\d*\.?\d+$/.test(String(text)) && number <= 1) return number;
  throw new UsageError(`invalid --probability '${text}': must be a number from 0 to 1`);
}
