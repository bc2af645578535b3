import { styleText } from 'node:util';
import { writeJson } from '../../client/src/json.ts';
import type { CommandStreams } from '../../server/src/config/flags.ts';
import type { Call, CommandHandler } from './command-group.ts';

type Style = Parameters<typeof styleText>[0];

/** Styles text in a terminal; leaves it plain elsewhere and with NO_COLOR. */
export function coloured(style: Style, text: string, { stdout }: CommandStreams): string {
  return styleText(style, text, { stream: stdout });
}

const statusStyles: ReadonlyMap<string, Style> = new Map([
  ['pending', 'yellow'],
  ['shipped', 'blue'],
  ['delivered', 'green'],
  ['cancelled', 'dim'],
  ['sold', 'dim'],
  ['available', 'green'],
]);

/** A column: its heading, and how to read its value from a row. */
export type Column<T> = readonly [heading: string, read: (row: T) => unknown];

/** Replaces control characters, so that no response can send terminal escape sequences. */
export function plain(value: unknown): string {
  return String(value ?? '-').replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** A time in tables: `2026-12-31 12:00 UTC`, with seconds where rows are seconds apart. JSON output has the time as the API sends it. */
export function utc(text: string | null | undefined, to: 'minute' | 'second' = 'minute'): string {
  return text ? `${text.slice(0, 10)} ${text.slice(11, to === 'minute' ? 16 : 19)} UTC` : '-';
}

/** Writes rows incrementally, as a table or, with --json, as one JSON array. */
export class Rows<T> {
  readonly #columns: readonly Column<T>[];
  readonly #call: Call;
  readonly #json: boolean;
  readonly #what: string;
  #widths: readonly number[] | undefined;
  #count = 0;

  /** `what` names the rows, for an empty list: `No orders.` */
  constructor(columns: readonly Column<T>[], call: Call, what: string) {
    this.#columns = columns;
    this.#call = call;
    this.#json = call.values.json === true;
    this.#what = what;
  }

  async write(rows: readonly T[]): Promise<void> {
    if (this.#json) {
      for (const row of rows)
        await print(`${this.#count++ === 0 ? '[\n' : ',\n'}${writeJson(row)}`, this.#call);
      return;
    }
    if (rows.length === 0) return;
    const cells = rows.map((row) => this.#columns.map(([, read]) => plain(read(row))));
    if (!this.#widths) {
      const headings = this.#columns.map(([heading]) => heading);
      const wider = (at: number) => (widest: number, row: readonly string[]) =>
        Math.max(widest, row[at]?.length ?? 0);
      this.#widths = headings.map((heading, at) => cells.reduce(wider(at), heading.length));
      await print(`${coloured('bold', this.#line(headings), this.#call)}\n`, this.#call);
    }
    for (const row of cells) await print(`${this.#line(row)}\n`, this.#call);
    this.#count += rows.length;
  }

  async end(): Promise<void> {
    if (this.#json) await print(this.#count === 0 ? '[]\n' : '\n]\n', this.#call);
    else if (this.#count === 0) await print(`No ${this.#what}.\n`, this.#call);
  }

  #line(cells: readonly string[]): string {
    const padded = cells.map((cell, at) =>
      at === cells.length - 1 ? cell : cell.padEnd(this.#widths?.[at] ?? 0),
    );
    return padded
      .map((cell) => {
        const style = statusStyles.get(cell.trim());
        return style ? coloured(style, cell, this.#call) : cell;
      })
      .join('  ');
  }
}

/** Prints text or, with --json, JSON; an array gets one element per line. */
export async function printResult(text: string, json: unknown, call: Call): Promise<void> {
  if (call.values.json !== true) return print(text && `${text}\n`, call);
  if (!Array.isArray(json)) return print(`${writeJson(json)}\n`, call);
  const rows = new Rows<unknown>([], call, 'results');
  await rows.write(json);
  await rows.end();
}

/** Prints one object: a line per field or, with --json, JSON. */
export async function show<T>(thing: T, columns: readonly Column<T>[], call: Call): Promise<void> {
  if (call.values.json === true) return print(`${writeJson(thing)}\n`, call);
  const width = Math.max(...columns.map(([heading]) => heading.length));
  for (const [heading, read] of columns) {
    const text = plain(read(thing));
    const style = statusStyles.get(text);
    const shown = style ? coloured(style, text, call) : text;
    await print(`${coloured('bold', heading.padEnd(width), call)}  ${shown}\n`, call);
  }
}

/** Writing to standard output failed: the disk is full, or the reader closed the pipe. */
export class NotWritten extends Error {
  readonly code = 'not_written';
}

class ReaderLeft extends NotWritten {}

/** Resolves once the text is written, so that a slow reader does not fill memory. */
export async function print(text: string, { stdout }: CommandStreams): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    stdout.write(text, resolve);
  });
  if (!error) return;
  // Writes after the first failure report a different error.
  const cause: NodeJS.ErrnoException = stdout.errored ?? error;
  const Kind = cause.code === 'EPIPE' ? ReaderLeft : NotWritten;
  throw new Kind(`the result could not be written: ${cause.message}`);
}

/** For read-only commands: exit quietly with this code when the reader closes the pipe, as `head` does. */
export function exitWhenReaderCloses(work: CommandHandler, exitCode = 0): (call: Call) => Promise<number> {
  return async (call) => {
    try {
      return (await work(call)) ?? 0;
    } catch (error) {
      if (error instanceof ReaderLeft) return exitCode;
      throw error;
    }
  };
}

/** In a terminal, shows the elapsed time while the work is in progress. */
export async function withElapsedTime<T>(
  what: string,
  work: Promise<T>,
  { stderr }: CommandStreams,
): Promise<T> {
  if (!stderr.isTTY) return work;
  const started = performance.now();
  const draw = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    stderr.write(`\r\x1b[K${what}, ${seconds} s`);
  };
  draw();
  const timer = setInterval(draw, 1000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    stderr.write('\r\x1b[K');
  }
}

/** Shows progress while a long list is written to a file or a pipe. */
export function showProgress(done: number, what: string, { stdout, stderr }: CommandStreams): void {
  if (stderr.isTTY && !stdout.isTTY) stderr.write(`\r\x1b[K${done.toLocaleString('en')} ${what}`);
}

export function endProgress({ stdout, stderr }: CommandStreams): void {
  if (stderr.isTTY && !stdout.isTTY) stderr.write('\r\x1b[K');
}
