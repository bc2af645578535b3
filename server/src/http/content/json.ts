import { ApiError } from '../errors.ts';

const MOST_NESTING = 32;
/** Strings, and the marks that open, close or separate; everything else in between does not matter here.
 * A string that never ends is one token too, so that no text takes more than one pass. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]/g;

/**
 * Parses JSON without losing anything: integers become `bigint`, exact at any size, and a field that is
 * there twice is refused rather than one of the two dropped.
 */
export function parseJson(text: string): unknown {
  refuseDuplicates(text);
  try {
    return JSON.parse(text, exactInteger);
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid JSON.');
  }
}

function exactInteger(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? '';
  return typeof value === 'number' && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

function refuseDuplicates(text: string): void {
  const open: Array<Set<string> | undefined> = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') remember(open.at(-1), last);
    if (open.length > MOST_NESTING)
      throw new ApiError('invalid_body', 'The request body is nested too deeply.');
    last = token;
  }
}

function remember(fields: Set<string> | undefined, name: string): void {
  const field = unescaped(name);
  if (fields?.has(field))
    throw new ApiError('invalid_body', `The request body has the field ${name.slice(0, 100)} twice.`);
  fields?.add(field);
}

function unescaped(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name;
  }
}
