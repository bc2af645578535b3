import type { DeploymentName } from '../domain/deployment.ts';
import { type Field, int64 } from '../http/fields/field.ts';
import { int64Schema } from '../http/openapi/openapi.ts';
import type { Services } from '../http/operations/operation.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import type { FillStore } from './fill-store.ts';

export interface SandboxServices extends Services {
  readonly deployment: DeploymentName;
  readonly documented: DocumentedErrors;
  readonly fillStore: FillStore;
}

export const seedField = (description: string): Field<bigint> => ({
  ...int64(description, 7),
  schema: { ...int64Schema, description, default: 1 },
  expected: 'a 64-bit integer',
});
