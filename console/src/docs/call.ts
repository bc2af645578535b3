import { parseJson, writeJson } from '../../../client/src/json.ts';
import { exampleOf, type FormOperation, type Parameter } from './document.ts';
import type { SampleIds } from './sample-ids.ts';

/** A request as sent, without the key. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string | undefined;
}

/** The form values of an operation. */
export interface FormValues {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export const fieldKey = ({ in: place, name }: Parameter) => `${place} ${name}`;

/** Initial form values: only what is required, with IDs that exist in the store. */
export function initialValues(operation: FormOperation, sampleIds: SampleIds): FormValues {
  const { id, parameters, body } = operation;
  const known = { ...sampleIds['*'], ...sampleIds[id] };
  const values = parameters
    .filter(({ required }) => required)
    .map((parameter) => [fieldKey(parameter), String(known[parameter.name] ?? parameter.example ?? '')]);
  return { values: Object.fromEntries(values), body: body && bodyFor(operation, known) };
}

function bodyFor({ id, body }: FormOperation, known: SampleIds[string]): string {
  const [media] = Object.values(body ?? {});
  // The example's pet may not exist in this store.
  const example = id === 'placeOrder' ? { petId: BigInt(known?.petId ?? 1), quantity: 1 } : exampleOf(media);
  return writeJson(example, '  ') ?? '';
}

export function callOf(
  { method, path, parameters, responses }: FormOperation,
  base: string,
  filled: FormValues,
): Call {
  const given = parameters
    .map((parameter) => ({ ...parameter, value: filled.values[fieldKey(parameter)] ?? '' }))
    .filter(({ value, in: place }) => value !== '' || place === 'path');
  const parametersIn = (place: Parameter['in']) => given.filter((parameter) => parameter.in === place);
  const filledPath = parametersIn('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value) || `{${name}}`),
    path,
  );
  const query = parametersIn('query').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const content = successOf(responses)?.content ?? {};
  return {
    method,
    url: `${base}${filledPath}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: [
      ...(filled.body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...('application/json' in content && STREAM in content
        ? [['Accept', 'application/json'] as const]
        : []),
      ...parametersIn('header').map(({ name, value }) => [name, value] as const),
    ],
    body: filled.body,
  };
}

const STREAM = 'text/event-stream';

export const successOf = (responses: FormOperation['responses']) =>
  responses.find(({ status }) => status.startsWith('2'));

/** The example of a successful response; for a stream, the lines of one event. */
export function successText({ responses }: FormOperation, filled: FormValues): string {
  const content = successOf(responses)?.content ?? {};
  const example = exampleOf(content['application/json']);
  if (example !== undefined) return writeJson(responseTo(filled, example), '  ') ?? '';
  const fields = Object.entries(exampleOf(content[STREAM]) ?? {});
  return fields.map(([name, value]) => `${name}: ${value}`).join('\n') || 'No body.';
}

/** The example response, with the IDs and values of the request. */
function responseTo({ values, body }: FormValues, example: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const given = Object.fromEntries(
    Object.entries(parseObject(body)).filter(([name]) => Object.hasOwn(example, name)),
  );
  const ids = Object.entries(values).filter(([key]) => key.startsWith('path '));
  const [, id] = ids.at(-1) ?? [];
  const returnsSameResource = ids.length === 1 && 'id' in example && !('code' in example);
  return {
    ...example,
    ...given,
    ...(returnsSameResource && id ? { id: /^\d{1,19}$/.test(id) ? BigInt(id) : id } : {}),
  };
}

function parseObject(body: string | undefined): object {
  try {
    const value = parseJson(body ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
