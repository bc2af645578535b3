import { ApiError } from '../errors.ts';
import { exactInteger } from './exact-integer.ts';

const MOST_NESTING = 32;
/** Strings, and the marks that open, close or separate; everything else in between does not matter here.
 * A string that never ends is one token too, so that no text takes more than one pass. */
const tokens = /"(?:[^"\\]|\\.)*"?|[{}[\]:]/g;

/**
 * Parses JSON without losing anything: whole numbers become `bigint`, exact to 64 bits, and a field that is there
 * twice is refused rather than one of the two dropped. Whatever the text, it is gone over three times at most.
 */
export function parseJson(text: string): unknown {
  refuseDeepNesting(text);
  const value = parsed(text);
  refuseDuplicates(text);
  return value;
}

function refuseDeepNesting(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > MOST_NESTING) throw new ApiError('invalid_body', 'The request body is nested too deeply.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber);
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid JSON.');
  }
}

/** A number that is not whole, or beyond 64 bits, stays a `number`, which no field of ours takes. */
function exactNumber(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (exactInteger(context?.source ?? '') ?? value) : value;
}

/** Only for text that is valid: there, what stands before a colon is always the name of a field. */
function refuseDuplicates(text: string): void {
  const open: Array<Set<string>> = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token === ':') remember(open.at(-1), last);
    last = token;
  }
}

function remember(fields: Set<string> | undefined, name: string): void {
  const field = name.includes('\\') ? JSON.parse(name) : name.slice(1, -1);
  if (fields?.has(field))
    throw new ApiError('invalid_body', `The request body has the field ${name.slice(0, 100)} twice.`);
  fields?.add(field);
}
