import type { Operation } from './operation.ts';

/** What a feature adds to version 2: its operations, and what their documents refer to by name. */
export interface Feature<Services> {
  readonly operations: ReadonlyArray<Operation<Services>>;
  readonly schemas: Readonly<Record<string, object>>;
  readonly parameters?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly links?: Readonly<Record<string, object>>;
}

/** Where a new resource is, as a header. */
export const locationHeader = (path: string) => ({
  description: 'Where the new resource is.',
  schema: { type: 'string', maxLength: 64 },
  example: path,
});

/** What can be done with what an operation answered with. */
export const linkTo = (operationId: string, parameter: string, description: string) => ({
  operationId,
  parameters: { [parameter]: '$response.body#/id' },
  description,
});
