/** The scope of the long tests: small by default, extended by variables (see CONTRIBUTING.md). */
const setting = (name: string, usual: number) => Number(process.env[name] ?? usual);
/** Whether to run every case instead of a sample: by the test's own variable, or EFFORT for all. */
const isComplete = (name: string) => (process.env[name] ?? process.env.EFFORT) === 'all';

/** Cases without their own variable. */
export const everyCase = isComplete('EFFORT');

/** A sample in which every value of a combination occurs, as long as no dimension is a multiple of the stride. */
export const sampleOf = <T>(all: readonly T[], stride = 7): readonly T[] =>
  everyCase ? all : all.filter((_, i) => i % stride === 0);

/** How often the program is killed under load. */
export const ROUNDS = setting('ROUNDS', 1);
/** How often a replica is killed while its events are read. */
export const EVENT_KILLS = setting('EVENT_KILLS', 1);
/** How many readers stop reading and disconnect. */
export const READERS = setting('READERS', 30);
/** How long replicas are killed and partitioned. */
export const FIRE_SECONDS = setting('FIRE_SECONDS', 2);

/** How long a webhook receiver is down, by the test's clock. */
export const outageSeconds = (process.env.OUTAGE_SECONDS ?? (everyCase ? '12,120,1200' : '4'))
  .split(',')
  .map(Number);

/** Every call fails or hangs, on PostgreSQL, too, and on SQLite's writer thread; including read-only requests. */
export const everyCall = isComplete('NTH_CALL');

/** Engine-independent tests on every engine. */
export const everyEngine = isComplete('ENGINES');

/** Every walk through the console in both themes, its pages at both widths, and contrast at every axe check. */
export const everyTheme = isComplete('THEMES');

/** The numbers of processes to test where one and two behave the same. */
export const processes = (usual: '1' | '2'): readonly string[] => (everyCase ? ['1', '2'] : [usual]);

/** `all`: Go and Java, too, whose first compilation takes a minute. */
const LANGUAGES = process.env.LANGUAGES;
const compiled = new Set(['go', 'java']);
export const isLanguageTested = (language: string) =>
  LANGUAGES === 'all' || !compiled.has(language.toLowerCase());

/** `all`: suites of third-party tools, which are installed first. */
export const SUITES = process.env.SUITES;

const TRIES = setting('TRIES', 1);

/** The number of random cases of a property. */
export const tries = (usual: number) => ({ numRuns: Math.ceil(usual * TRIES) });
