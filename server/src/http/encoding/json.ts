import { yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';
import { ApiError } from '../errors.ts';
import { exactInteger } from './int64.ts';

const MAX_NESTING = 32;
/** Every value takes memory, even if its source is short. */
const MAX_VALUES = 250_000;
/** An object is created in one step, which takes a quarter of a second for 240,000 fields. */
const MAX_FIELDS = 1_000;
const MAX_TEXT_LENGTH = 64 * 1024;
/** Yields to the event loop after this many characters. */
const CHARACTERS_PER_TICK = 8 * 1024;

/** Integers become `bigint`, exact to 64 bits. Duplicate fields are rejected. */
export async function parseJson(text: string, owner?: bigint | string): Promise<unknown> {
  let at = 0;
  let tickEnd = CHARACTERS_PER_TICK;
  let values = 0;

  function peek(): string | undefined {
    at = endOf(space, text, at);
    return text[at];
  }

  function accept(mark: string): boolean {
    if (peek() !== mark) return false;
    at++;
    return true;
  }

  async function value(depth: number): Promise<unknown> {
    if (at >= tickEnd) {
      await yieldToEventLoop(owner);
      tickEnd = at + CHARACTERS_PER_TICK;
    }
    if (++values > MAX_VALUES) throw rejected('has too many values');
    const mark = peek();
    if (mark !== '{' && mark !== '[') return scalar();
    if (depth === MAX_NESTING) throw rejected('is nested too deeply');
    at++;
    return mark === '{' ? object(depth + 1) : array(depth + 1);
  }

  async function object(depth: number): Promise<unknown> {
    const fields = new Map<string, unknown>();
    if (accept('}')) return {};
    do {
      if (peek() !== '"') throw notJson();
      const start = at;
      const name = scalar() as string;
      if (fields.has(name))
        throw rejected(`has a duplicate field ${text.slice(start, Math.min(at, start + 100))}`);
      if (fields.size === MAX_FIELDS) throw rejected('has an object with too many fields');
      if (!accept(':')) throw notJson();
      fields.set(name, await value(depth));
    } while (accept(','));
    if (!accept('}')) throw notJson();
    return Object.fromEntries(fields);
  }

  async function array(depth: number): Promise<unknown> {
    const items: unknown[] = [];
    if (accept(']')) return items;
    do items.push(await value(depth));
    while (accept(','));
    if (!accept(']')) throw notJson();
    return items;
  }

  /** Numbers that are not integers of 64 bits stay a `number`, which integer fields reject. */
  function scalar(): unknown {
    const isString = peek() === '"';
    const start = at;
    at = isString ? endOfString(text, start) : endOf(word, text, start);
    const source = text.slice(start, at);
    if (source.length > MAX_TEXT_LENGTH) throw rejected('has a string or number that is too long');
    const value = parseScalar(source);
    return typeof value === 'number' ? (exactInteger(source) ?? value) : value;
  }

  const whole = await value(0);
  if (peek() !== undefined) throw notJson();
  return whole;
}

const space = /[ \t\n\r]*/y;
/** Numbers, true, false and null. */
const word = /[-+.\w]*/y;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Scans no further than the length limit. An unterminated string ends with the text, and fails to parse. */
function endOfString(text: string, start: number): number {
  const last = Math.min(text.length, start + MAX_TEXT_LENGTH + 1);
  for (let at = start + 1; at < last; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at++;
  }
  return last;
}

function parseScalar(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw notJson();
  }
}

const notJson = () => rejected('is not valid JSON');
const rejected = (problem: string) => new ApiError('invalid_body', `The request body ${problem}.`);
