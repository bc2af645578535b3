/** How much the long tests do: little by default, more by a variable (the table is in CONTRIBUTING.md). */
const setting = (name: string, usual: number) => Number(process.env[name] ?? usual);
/** Whether all is tried of which some stands for all otherwise: one such choice by its own variable, every one by EFFORT. */
const isWhole = (name: string) => (process.env[name] ?? process.env.EFFORT) === 'all';

/** What has no variable of its own. */
export const everything = isWhole('EFFORT');

/** A sample in which every value of a combination occurs, as long as no dimension is a multiple of the stride. */
export const sampleOf = <T>(all: readonly T[], stride = 7): readonly T[] =>
  everything ? all : all.filter((_, i) => i % stride === 0);

/** How often the program is killed under everything that writes. */
export const ROUNDS = setting('ROUNDS', 1);
/** How often a replica is killed while its events are read. */
export const EVENT_KILLS = setting('EVENT_KILLS', 1);
/** How many readers stop reading and leave. */
export const READERS = setting('READERS', 30);
/** How long replicas are killed and cut off. */
export const FIRE_SECONDS = setting('FIRE_SECONDS', 2);

/** How long a webhook receiver is down, by its own clock. */
export const outageSeconds = (process.env.OUTAGE_SECONDS ?? (everything ? '12,120,1200' : '4'))
  .split(',')
  .map(Number);

/** Every call in turn fails on PostgreSQL, too, or is never answered, and hangs on SQLite; also of what only reads. */
export const everyCall = isWhole('NTH_CALL');

/** On every engine, also what no engine can change. */
export const everyEngine = isWhole('ENGINES');

/** Every walk through the console in both themes, the pages in both widths of each, and contrast wherever axe looks. */
export const everyTheme = isWhole('THEMES');

/** How many processes serve, where one and two do the same. */
export const processes = (usual: '1' | '2'): readonly string[] => (everything ? ['1', '2'] : [usual]);

/** `all`: also what is written in Go and Java, whose compilers take a minute where they have not run before. */
const LANGUAGES = process.env.LANGUAGES;
const compiled = new Set(['go', 'java']);
export const isTried = (language: string) => LANGUAGES === 'all' || !compiled.has(language.toLowerCase());

/** `all`: test suites of other people's tools, which are installed for it. */
export const SUITES = process.env.SUITES;

const TRIES = setting('TRIES', 1);

/** How many random cases a property is tried on. */
export const tries = (usual: number) => ({ numRuns: Math.ceil(usual * TRIES) });
