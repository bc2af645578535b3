import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { transitions } from '../server/src/orders/states.ts';

/** Writes the lists that the console offers, from the documents; with --check, fails if the committed ones differ. */

interface Operation {
  operationId: string;
  tags: string[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { enum?: string[] }> };
}

const file = new URL('../console/src/api/contract.generated.ts', import.meta.url);

const read = (name: string) =>
  parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as Document;
const documents = { v1: read('v1'), v2: read('v2') };

const operations = Object.entries(documents).flatMap(([version, { paths }]) =>
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => ({ ...operation, name: `${version}.${operation.operationId}` })),
);

function enumOf(name: string): string[] {
  const values = documents.v2.components.schemas[name]?.enum;
  if (!values) throw new Error(`v2.yaml has no list of values named ${name}`);
  return values;
}

const ways = () =>
  Object.fromEntries(Object.entries(transitions).map(([name, { from, to }]) => [name, { from, to }]));

/** The parameter that each kind of fault takes, as its example has it. */
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

const statusesOf = ({ responses }: Operation) =>
  Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400);

const lists: ReadonlyArray<[name: string, about: string, value: unknown]> = [
  ['orderStatuses', 'Every state that an order can be in.', enumOf('OrderStatus')],
  ['transitions', 'The state that an order is in before each change, and after it.', ways()],
  ['eventTypes', 'What a webhook can be sent.', enumOf('EventTypeInput')],
  ['dataSets', 'What a store can be filled with.', enumOf('DataSet')],
  ['faultParameters', 'Every kind of fault, and the parameter that it takes.', faultParameters()],
  [
    'documentedErrors',
    'Every operation that a fault can meet, and the errors that it documents.',
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
const written = `// Made from contract/*.yaml and server/src/orders/states.ts: npm run contract\n\n${text.join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  console.error('console/src/api/contract.generated.ts differs from the documents; run: npm run contract');
  process.exitCode = 1;
}
