import type { Data } from './data.ts';
import type { Options } from './options.ts';
import type { Row } from './row.ts';

export interface Context {
  readonly options: Options;
  readonly data: Data;
  /** Says what is being done, on the progress line. */
  readonly progress: (text: string) => void;
}

/** One line of the table of bars, or several that are measured together. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** Where an engine has a bar of its own. */
  readonly barOn?: 'each engine';
  run(context: Context): Promise<Row[]>;
}
