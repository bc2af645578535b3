import type { DeploymentName } from '../deployment.ts';
import { bodyField } from '../http/fields/field.ts';
import { int64Schema } from '../http/openapi/openapi.ts';
import type { Services } from '../http/openapi/operation.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import type { StoreFiller } from './fill-store.ts';

export interface SandboxServices extends Services {
  readonly deployment: DeploymentName;
  readonly documented: DocumentedErrors;
  readonly filler: StoreFiller;
}

export const seedField = (description: string) =>
  bodyField(
    { ...int64Schema, description, default: 1 },
    'an integer of 64 bits',
    (value) => (typeof value === 'bigint' ? value : undefined),
    7,
  );

export const jsonWithExamples = <T extends string>(
  schema: object,
  names: readonly T[],
  shownBy: (name: T) => unknown,
) => {
  const examples = Object.fromEntries(names.map((name) => [name, { value: shownBy(name) }]));
  return { content: { 'application/json': { schema, examples } } };
};
