import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { ApiError } from '../errors.ts';
import { exactInteger } from './int64.ts';

const MAX_NESTING = 32;
/** Each takes memory, however short it is written. */
const MAX_VALUES = 250_000;
const MAX_TEXT_LENGTH = 64 * 1024;
/** Others are served after so many characters. */
const TURN = 8 * 1024;

/** Whole numbers become `bigint`, exact to 64 bits. A field that is there twice is refused. */
export async function parseJson(text: string): Promise<unknown> {
  let at = 0;
  let tickEnd = TURN;
  let values = 0;

  /** Passes over space. */
  function next(): string | undefined {
    at = endOf(space, text, at);
    return text[at];
  }

  function takes(mark: string): boolean {
    const isNext = next() === mark;
    if (isNext) at++;
    return isNext;
  }

  async function value(depth: number): Promise<unknown> {
    if (at >= tickEnd) {
      await yieldToEventLoop();
      tickEnd = at + TURN;
    }
    if (++values > MAX_VALUES) throw rejected('has too many values');
    const mark = next();
    if (mark !== '{' && mark !== '[') return scalar();
    if (depth === MAX_NESTING) throw rejected('is nested too deeply');
    at++;
    return mark === '{' ? object(depth + 1) : list(depth + 1);
  }

  async function object(depth: number): Promise<unknown> {
    const fields = new Map<string, unknown>();
    if (takes('}')) return {};
    do {
      if (next() !== '"') throw notJson();
      const start = at;
      const name = scalar() as string;
      if (fields.has(name))
        throw rejected(`has the field ${text.slice(start, Math.min(at, start + 100))} twice`);
      if (!takes(':')) throw notJson();
      fields.set(name, await value(depth));
    } while (takes(','));
    if (!takes('}')) throw notJson();
    return Object.fromEntries(fields);
  }

  async function list(depth: number): Promise<unknown> {
    const items: unknown[] = [];
    if (takes(']')) return items;
    do items.push(await value(depth));
    while (takes(','));
    if (!takes(']')) throw notJson();
    return items;
  }

  /** A number that is not whole, or beyond 64 bits, stays a `number`, which no field for a whole one takes. */
  function scalar(): unknown {
    const isString = next() === '"';
    const start = at;
    at = isString ? endOfString(text, start) : endOf(word, text, start);
    const source = text.slice(start, at);
    if (source.length > MAX_TEXT_LENGTH) throw rejected('has a text or a number that is too long');
    const value = parsed(source);
    return typeof value === 'number' ? (exactInteger(source) ?? value) : value;
  }

  const whole = await value(0);
  if (next() !== undefined) throw notJson();
  return whole;
}

const space = /[ \t\n\r]*/y;
/** Everything but strings, lists and objects. */
const word = /[-+.\w]*/y;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** A string without an end goes to the end of the text, and is refused as JSON. One that is too long is not read on. */
function endOfString(text: string, start: number): number {
  const last = Math.min(text.length, start + MAX_TEXT_LENGTH + 1);
  for (let at = start + 1; at < last; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at++;
  }
  return last;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw notJson();
  }
}

function notJson(): ApiError {
  return rejected('is not valid JSON');
}

function rejected(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body ${problem}.`);
}
