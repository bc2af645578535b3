import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { eventTypes } from '../server/src/domain/vocabulary.ts';
import { eventSchemaName, TEST_MESSAGE } from '../server/src/events/event-schemas.ts';

/** Writes the client's types from the documents; with --check, fails if the committed ones differ. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  const?: string;
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  'x-extensible-enum'?: string[];
}

const file = new URL('../client/src/types.generated.ts', import.meta.url);

/** The fields that the client's parser converts to bigint. */
const exactFields = new Set(['id', 'petId', 'revision', 'seed']);

/** The client's types for each document, and their name prefix. */
const exportedTypes = [
  {
    document: 'v2',
    prefix: '',
    names: [
      ...[
        'Order',
        'OrderStatus',
        'OrderSort',
        'OrderPage',
        'OrderHistory',
        'OrderHistoryEntry',
        'OrderInput',
      ],
      ...['Pet', 'PetStatus', 'PetPage', 'PetInput', 'PetPatch'],
      ...[
        'Webhook',
        'WebhookWithSecret',
        'WebhookPage',
        'WebhookInput',
        'WebhookPatch',
        'EventTypeName',
        'EventTypeInput',
      ],
      ...['Event', 'Message', ...eventTypes.map(eventSchemaName), TEST_MESSAGE],
      ...['Delivery', 'DeliveryStatus', 'DeliveryAttempt', 'DeliveryPage'],
      ...['InspectedRequest', 'RequestPage'],
      ...['DataSet', 'ResetInput', 'FilledWith', 'StoreReset', 'StoreRateLimit', 'NewStoreInput', 'NewStore'],
      ...['OwnData', 'OwnPet', 'OwnOrder', 'StoreData', 'StorePet', 'StoreOrder'],
      ...['FaultKind', 'FaultInput', 'FaultParameters', 'ArmedFault', 'ArmedFaultParameters'],
      ...['StoreSummary', 'OrderCounts', 'WeekCounts', 'PetStock', 'ErrorCode'],
    ],
  },
  { document: 'v1', prefix: 'V1', names: ['Order', 'Pet'] },
];

function typeOf(schema: Schema, name: string, isInput: boolean): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.oneOf) return schema.oneOf.map((one) => typeOf(one, name, isInput)).join(' | ');
  if (schema.const !== undefined) return union([schema.const]);
  if (schema['x-extensible-enum']) return `${union(schema['x-extensible-enum'])} | (string & {})`;
  if (schema.enum) return union(schema.enum);
  const types = [schema.type ?? 'unknown'].flat().map((type) => {
    if (type === 'array' && schema.items) return `readonly ${typeOf(schema.items, name, isInput)}[]`;
    if (type !== 'integer') return type;
    if (!exactFields.has(name)) return 'number';
    return isInput ? 'bigint | number' : 'bigint';
  });
  return types.join(' | ');
}

const union = (values: string[]) => values.map((value) => `'${value}'`).join(' | ');
const comment = (text: string | undefined, indent = '') => (text ? `${indent}/** ${text} */\n` : '');

function declaration(name: string, schema: Schema, isInput: boolean): string {
  const head = comment(schema.description);
  if (!schema.properties) return `${head}export type ${name} = ${typeOf(schema, name, isInput)};\n`;
  const fields = Object.entries(schema.properties).map(([field, property]) => {
    const isRequired = schema.required?.includes(field);
    const type = `${typeOf(property, field, isInput)}${isRequired ? '' : ' | undefined'}`;
    return `${comment(property.description, '  ')}  readonly ${field}${isRequired ? '' : '?'}: ${type};\n`;
  });
  const isNullable = [schema.type].flat().includes('null');
  if (isNullable) return `${head}export type ${name} = {\n${fields.join('')}} | null;\n`;
  return `${head}export interface ${name} {\n${fields.join('')}}\n`;
}

const text = exportedTypes
  .flatMap(({ document, prefix, names }) => {
    const yaml = readFileSync(new URL(`${document}.yaml`, import.meta.url), 'utf8');
    const { schemas } = (parse(yaml) as { components: { schemas: Record<string, Schema> } }).components;
    return names.map((name) => {
      const schema = schemas[name];
      if (!schema) throw new Error(`${document}.yaml has no schema ${name}`);
      // In version 2, only request bodies are closed.
      return declaration(`${prefix}${name}`, schema, prefix === '' && schema.additionalProperties === false);
    });
  })
  .join('\n');
const written = `// Generated from contract/*.yaml: npm run contract\n\n${text}`;

if (!process.argv.includes('--check')) writeFileSync(file, written);
else if (readFileSync(file, 'utf8') !== written) {
  console.error('client/src/types.generated.ts differs from the documents; run: npm run contract');
  process.exitCode = 1;
}
