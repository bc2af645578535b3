import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { MAX_NAME_LENGTH } from '../server/src/accounts/account-bodies.ts';
import { MAX_SESSION_MS } from '../server/src/accounts/find-sessions.ts';
import { SESSION_MS } from '../server/src/accounts/start-and-end-sessions.ts';
import { MAX_EVENTS } from '../server/src/audit-log/audit-log.ts';
import { transitions } from '../server/src/orders/states.ts';
import { ACCOUNT_EVENT_RETENTION_MS } from '../server/src/stores/prune-expired.ts';

/** Writes the lists and limits that the console and the CLI share, from the contract; with --check, fails on a difference. */

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, unknown>;
}

/** Limits of a property; the generated file leaves out those it does not have. */
interface Property {
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { enum?: string[]; properties?: Record<string, Property> }> };
}

const file = new URL('../console/src/api/contract.generated.ts', import.meta.url);

const read = (name: string) =>
  parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as Document;
const documents = { v1: read('v1'), v2: read('v2') };

const operations = Object.entries(documents).flatMap(([version, { paths }]) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      name: `${version}.${operation.operationId}`,
      call: `${method.toUpperCase()} /${version}${path}`,
    })),
  ),
);

function enumOf(name: string): string[] {
  const values = documents.v2.components.schemas[name]?.enum;
  if (!values) throw new Error(`v2.yaml has no list of values named ${name}`);
  return values;
}

const transitionStatuses = () =>
  Object.fromEntries(Object.entries(transitions).map(([name, { from, to }]) => [name, { from, to }]));

/** The parameter of each fault kind, taken from its example. */
function faultParameters(): Record<string, string | null> {
  const examples = operations.find(({ name }) => name === 'v2.armFaults')?.requestBody?.content[
    'application/json'
  ]?.examples;
  return Object.fromEntries(
    enumOf('FaultKind').map((kind) => {
      const [fault] = (examples?.[kind]?.value ?? []) as Array<{ parameters?: object }>;
      if (!fault) throw new Error(`v2.yaml has no example of the fault ${kind}`);
      return [kind, Object.keys(fault.parameters ?? {})[0] ?? null];
    }),
  );
}

function limitsOf(schema: string, ...names: readonly string[]): Record<string, Property> {
  return Object.fromEntries(
    names.map((name) => {
      const { minimum, maximum, maxLength } =
        documents.v2.components.schemas[schema]?.properties?.[name] ?? {};
      if (maximum === undefined && maxLength === undefined)
        throw new Error(`v2.yaml has no limit for ${schema}.${name}`);
      return [name, { minimum, maximum, maxLength }];
    }),
  );
}

const daysOf = (ms: bigint) => Number(ms / 86_400_000n);

const statusesOf = ({ responses }: Operation) =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400);

const lists: ReadonlyArray<[name: string, about: string, value: unknown]> = [
  [
    'operationCalls',
    'Method, path and summary of each operation.',
    Object.fromEntries(operations.map(({ name, call, summary }) => [name, [call, summary]])),
  ],
  ['orderStatuses', 'All order statuses.', enumOf('OrderStatus')],
  ['orderSorts', 'Sort orders of the list of orders.', enumOf('OrderSort')],
  ['transitions', 'The status before and after each transition.', transitionStatuses()],
  ['eventTypes', 'Event types of webhooks.', enumOf('EventTypeInput')],
  [
    'inputLimits',
    'Limits of input fields.',
    {
      quantity: limitsOf('OrderInput', 'quantity').quantity,
      ...limitsOf('PetInput', 'name', 'category', 'stock'),
      ...limitsOf('NewStoreInput', 'orders', 'expiresIn'),
      times: limitsOf('FaultInput', 'times').times,
      ...limitsOf('FaultParameters', 'code', 'ms', 'retryAfter'),
      url: limitsOf('WebhookInput', 'url').url,
    },
  ],
  [
    'accountLimits',
    'Lifetime of console sessions, retention of account events, and length of key names.',
    {
      sessionDays: daysOf(SESSION_MS),
      maxSessionDays: daysOf(MAX_SESSION_MS),
      events: MAX_EVENTS,
      eventDays: daysOf(ACCOUNT_EVENT_RETENTION_MS),
      keyNameLength: MAX_NAME_LENGTH,
    },
  ],
  ['dataSets', 'Data sets of the sandbox.', enumOf('DataSet')],
  ['faultParameters', 'Fault kinds and their parameter.', faultParameters()],
  [
    'documentedErrors',
    'Operations that support faults, and their documented error statuses.',
    Object.fromEntries(
      operations
        .filter(({ tags }) => !tags.includes('sandbox'))
        .map((operation) => [operation.name, statusesOf(operation)]),
    ),
  ],
];

const text = lists.map(
  ([name, about, value]) =>
    `/** ${about} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`,
);
const written = `// Generated from contract/*.yaml and server/src: npm run contract\n\n${text.join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  console.error('console/src/api/contract.generated.ts differs from the contract; run: npm run contract');
  process.exitCode = 1;
}
