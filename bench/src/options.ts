import { parseArgs } from 'node:util';

export type Engine = 'sqlite' | 'postgres';

export interface Options {
  readonly quick: boolean;
  /** Run only the scenarios whose name contains one of these. */
  readonly only: readonly string[];
  readonly engines: readonly Engine[];
  /** How often each thing is measured, and for how long. */
  readonly rounds: number;
  readonly seconds: number;
  /** A saved run to compare with. */
  readonly compare: string | undefined;
}

export const usage = `npm run bench [-- flags]

  --quick            fewer and shorter rounds: under two minutes
  --only NAME        only scenarios whose name contains NAME; may be repeated
  --engine ENGINE    sqlite, postgres or both (default both)
  --rounds N         measure everything N times (default 7, quick 2)
  --seconds S        length of one measurement (default 4, quick 1)
  --compare FILE     say which rows are worse than in that run by more than its spread
  --list             name the scenarios
`;

export function readOptions(args: readonly string[]): Options & { help: boolean; list: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      compare: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick, only, engine, help, list } = values;
  if (engine !== 'sqlite' && engine !== 'postgres' && engine !== 'both') {
    throw new Error(`--engine is '${engine}': it must be sqlite, postgres or both`);
  }
  return {
    quick,
    only,
    help,
    list,
    compare: values.compare,
    engines: engine === 'both' ? ['sqlite', 'postgres'] : [engine],
    rounds: positive('rounds', values.rounds) ?? (quick ? 2 : 7),
    seconds: positive('seconds', values.seconds) ?? (quick ? 1 : 4),
  };
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} is '${text}': it must be a number above 0`);
  return number;
}
