import { ApiError } from '../errors.ts';
import { exactInteger } from './exact-integer.ts';

const MOST_NESTING = 32;
const [BACKSLASH, COLON] = [0x5c, 0x3a];
export const marks = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;
const { quote: QUOTE, openObject: OPEN_OBJECT, closeObject: CLOSE_OBJECT } = marks;

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
  eachToken(text, (mark) => {
    if (mark === OPEN_OBJECT || mark === marks.openList) depth += 1;
    else if (mark === CLOSE_OBJECT || mark === marks.closeList) depth -= 1;
    if (depth > MOST_NESTING) throw new ApiError('invalid_body', 'The request body is nested too deeply.');
  });
}

/** Tells, by their first character, of strings and of every other character outside them, and where they are. */
function eachToken(text: string, tell: (first: number, start: number, end: number) => void): void {
  for (let at = 0; at < text.length; ) {
    const first = text.charCodeAt(at);
    const end = first === QUOTE ? endOfString(text, at) : at + 1;
    tell(first, at, end);
    at = end;
  }
}

/** A string that never ends is one, too, so that no text takes more than one pass. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at + 1;
    if (character === BACKSLASH) at++;
  }
  return text.length;
}

/** A number that may be rounded by JavaScript, or is written in another way than it would be. */
const special = /\d{16}|\d[.eE]/;

function parsed(text: string): unknown {
  try {
    // To be told how each number is written makes parsing three times as slow.
    return special.test(text) ? JSON.parse(text, exactNumber) : withBigints(JSON.parse(text));
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid JSON.');
  }
}

function withBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) fields[name] = withBigints(fields[name]);
  return value;
}

/** A number that is not whole, or beyond 64 bits, stays a `number`, which no field of ours takes. */
function exactNumber(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? '';
  // As most are written, whatever others are: what a number is read from and written as is the same.
  if (Number.isSafeInteger(value) && String(value) === source) return BigInt(value);
  return exactInteger(source) ?? value;
}

/** Only for text that is valid: there, what stands before a colon is always the name of a field. */
function refuseDuplicates(text: string): void {
  const open: Array<Set<string>> = [];
  let [nameStart, nameEnd] = [0, 0];
  eachToken(text, (first, start, end) => {
    if (first === OPEN_OBJECT) open.push(new Set());
    else if (first === CLOSE_OBJECT) open.pop();
    else if (first === QUOTE) [nameStart, nameEnd] = [start, end];
    else if (first === COLON) remember(open.at(-1), text.slice(nameStart, nameEnd));
  });
}

function remember(fields: Set<string> | undefined, name: string): void {
  const field = name.includes('\\') ? JSON.parse(name) : name.slice(1, -1);
  if (fields?.has(field))
    throw new ApiError('invalid_body', `The request body has the field ${name.slice(0, 100)} twice.`);
  fields?.add(field);
}
