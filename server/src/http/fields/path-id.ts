import { parseInt64 } from '../content/int64.ts';
import { ApiError } from '../errors.ts';
import { int64 } from '../openapi/openapi.ts';
import type { Request } from '../server/request.ts';

/** An id in the path, as the document has it. */
export const pathId = (name: string, what: string, example: number) => ({
  name,
  in: 'path',
  required: true,
  description: `Identifier of the ${what}. Anything but a plain decimal int64 names none: 404.`,
  schema: int64,
  example,
});

/** Whether a parameter of a document is such an id. */
export const isPathId = (parameter: object): parameter is { name: string } =>
  'schema' in parameter && parameter.schema === int64 && 'in' in parameter && parameter.in === 'path';

/** The id in the path; what is no id names nothing. */
export function idOf({ params }: Request, name: string): bigint {
  const id = parseInt64(params[name] ?? '');
  if (id === undefined) throw new ApiError('not_found');
  return id;
}
