import { yieldTurn } from '../../yield-turn.ts';
import { ApiError } from '../errors.ts';
import { exactInteger } from './int64.ts';

const MOST_NESTING = 32;
/** Each takes memory, however short it is written. */
const MOST_VALUES = 250_000;
const LONGEST_TEXT = 64 * 1024;
/** Others are served after so many characters. */
const TURN = 8 * 1024;

/** Whole numbers become `bigint`, exact to 64 bits. A field that is there twice is refused. */
export function parseJson(text: string): Promise<unknown> {
  return new Reader(text).whole();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #turnEnd = TURN;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  async whole(): Promise<unknown> {
    const value = await this.#value(0);
    if (this.#next() !== undefined) throw notJson();
    return value;
  }

  async #value(depth: number): Promise<unknown> {
    if (this.#at >= this.#turnEnd) {
      await yieldTurn();
      this.#turnEnd = this.#at + TURN;
    }
    if (++this.#values > MOST_VALUES) throw refused('has too many values');
    const mark = this.#next();
    if (mark !== '{' && mark !== '[') return this.#scalar();
    if (depth === MOST_NESTING) throw refused('is nested too deeply');
    this.#at++;
    return mark === '{' ? this.#object(depth + 1) : this.#list(depth + 1);
  }

  async #object(depth: number): Promise<unknown> {
    const fields = new Map<string, unknown>();
    if (this.#takes('}')) return {};
    do {
      if (this.#next() !== '"') throw notJson();
      const start = this.#at;
      const name = this.#scalar() as string;
      const written = this.#text.slice(start, Math.min(this.#at, start + 100));
      if (fields.has(name)) throw refused(`has the field ${written} twice`);
      this.#require(':');
      fields.set(name, await this.#value(depth));
    } while (this.#takes(','));
    this.#require('}');
    return Object.fromEntries(fields);
  }

  async #list(depth: number): Promise<unknown> {
    const items: unknown[] = [];
    if (this.#takes(']')) return items;
    do items.push(await this.#value(depth));
    while (this.#takes(','));
    this.#require(']');
    return items;
  }

  /** A number that is not whole, or beyond 64 bits, stays a `number`, which no field of ours takes. */
  #scalar(): unknown {
    const isString = this.#next() === '"';
    const start = this.#at;
    this.#at = isString ? endOfString(this.#text, start) : endOf(word, this.#text, start);
    const source = this.#text.slice(start, this.#at);
    if (source.length > LONGEST_TEXT) throw refused('has a text or a number that is too long');
    const value = parsed(source);
    return typeof value === 'number' ? (exactInteger(source) ?? value) : value;
  }

  #next(): string | undefined {
    this.#at = endOf(space, this.#text, this.#at);
    return this.#text[this.#at];
  }

  #takes(mark: string): boolean {
    const isNext = this.#next() === mark;
    if (isNext) this.#at++;
    return isNext;
  }

  #require(mark: string): void {
    if (!this.#takes(mark)) throw notJson();
  }
}

const space = /[ \t\n\r]*/y;
/** Everything but strings, lists and objects. */
const word = /[-+.\w]*/y;

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** A string without an end goes to the end of the text, and is refused as JSON. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at++;
  }
  return text.length;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    throw notJson();
  }
}

function notJson(): ApiError {
  return refused('is not valid JSON');
}

function refused(problem: string): ApiError {
  return new ApiError('invalid_body', `The request body ${problem}.`);
}
