import { styleText } from 'node:util';
import { writeJson } from '../../client/src/json.ts';
import type { CommandStreams } from '../../server/src/config/flags.ts';
import type { Call, Work } from './place.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours what a terminal shows; elsewhere, and with NO_COLOR, text is left as it is. */
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

/** One field of what is shown: its heading, and how it is read from a row. */
export type Column<T> = readonly [heading: string, read: (row: T) => unknown];

/** What a service sends cannot steer the terminal. */
export function plain(value: unknown): string {
  return String(value ?? '-').replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** Writes rows in pieces: for people as a table, for programs as one array of JSON. */
export class Rows<T> {
  readonly #columns: readonly Column<T>[];
  readonly #call: Call;
  readonly #json: boolean;
  #widths: readonly number[] | undefined;
  #count = 0;

  constructor(columns: readonly Column<T>[], call: Call) {
    this.#columns = columns;
    this.#call = call;
    this.#json = call.values.json === true;
  }

  async write(rows: readonly T[]): Promise<void> {
    if (this.#json) {
      for (const row of rows)
        await print(`${this.#count++ === 0 ? '[\n' : ',\n'}${writeJson(row)}`, this.#call);
      return;
    }
    const cells = rows.map((row) => this.#columns.map(([, read]) => plain(read(row))));
    if (!this.#widths) {
      const headings = this.#columns.map(([heading]) => heading);
      const widest = (at: number) => (most: number, row: readonly string[]) =>
        Math.max(most, row[at]?.length ?? 0);
      this.#widths = headings.map((heading, at) => cells.reduce(widest(at), heading.length));
      await print(`${coloured('bold', this.#line(headings), this.#call)}\n`, this.#call);
    }
    for (const row of cells) await print(`${this.#line(row)}\n`, this.#call);
    this.#count += rows.length;
  }

  async end(): Promise<void> {
    if (this.#json) await print(this.#count === 0 ? '[]\n' : '\n]\n', this.#call);
    else if (this.#count === 0) await this.write([]);
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

/** What there is to say: for people a text, for programs JSON; of a list, with an element on each line. */
export async function tell(text: string, json: unknown, call: Call): Promise<void> {
  if (call.values.json !== true) return print(text && `${text}\n`, call);
  if (!Array.isArray(json)) return print(`${writeJson(json)}\n`, call);
  const rows = new Rows<unknown>([], call);
  await rows.write(json);
  await rows.end();
}

/** One thing: for people a line for each field, for programs JSON. */
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

/** Standard output could not be written: the disk is full, or its reader has closed it. */
export class NotWritten extends Error {
  readonly code = 'not_written';
}

class ReaderLeft extends NotWritten {}

/** Resolves once the text is written, so that a slow reader of a long list costs no memory. */
export async function print(text: string, { stdout }: CommandStreams): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    stdout.write(text, resolve);
  });
  if (!error) return;
  // Once a stream has failed, later writes fail for another reason.
  const cause: NodeJS.ErrnoException = stdout.errored ?? error;
  const Kind = cause.code === 'EPIPE' ? ReaderLeft : NotWritten;
  throw new Kind(`what was done could not be written: ${cause.message}`);
}

/** For commands that change nothing: a closed pipe, as `head` leaves it, ends them quietly with this code. */
export function endsWithReader(work: Work, exitCode = 0): (call: Call) => Promise<number> {
  return async (call) => {
    try {
      return (await work(call)) ?? 0;
    } catch (error) {
      if (error instanceof ReaderLeft) return exitCode;
      throw error;
    }
  };
}

/** Shows in a terminal what is waited for, and since when. */
export async function waiting<T>(what: string, work: Promise<T>, { stderr }: CommandStreams): Promise<T> {
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

/** Shows how far a long list has come while it is written to a file or a pipe. */
export function progress(done: number, what: string, { stdout, stderr }: CommandStreams): void {
  if (stderr.isTTY && !stdout.isTTY) stderr.write(`\r\x1b[K${done.toLocaleString('en')} ${what}`);
}

export function endProgress({ stdout, stderr }: CommandStreams): void {
  if (stderr.isTTY && !stdout.isTTY) stderr.write('\r\x1b[K');
}
