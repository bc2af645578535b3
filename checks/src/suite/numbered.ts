import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Bug } from '../bugs/bug.ts';
import { catalogue } from '../bugs/catalogue.ts';
import { didYouMean } from '../engine/suggest.ts';
import { draw } from './draw.ts';

/** Bugs are shown by number, so that the list does not give away the solutions to a class. */
export interface NumberedBug extends Bug {
  readonly number: number;
}

const numberedBugs: readonly NumberedBug[] = catalogue.map((bug, at) => ({ ...bug, number: at + 1 }));
const ids = catalogue.map(({ id }) => id);

/** Finds a bug by id or number. */
export function bugNamed(name: string): NumberedBug {
  const bug = numberedBugs.find(({ id, number }) => id === name || String(number) === name);
  if (!bug)
    throw new UsageError(`unknown bug '${name}'${didYouMean(name, ids)}; run petstore check-suite --list`);
  return bug;
}

export const topics = ['function', 'security'] as const;
type Topic = (typeof topics)[number];

export interface Selection {
  readonly only?: string | undefined;
  readonly topic?: Topic | undefined;
  /** A seed and a number of bugs. */
  readonly sample?: { readonly seed: string; readonly count: number } | undefined;
}

/** The bugs selected by `--only`, `--topic` and `--draw`. */
export function selectBugs({ only, topic, sample }: Selection): readonly NumberedBug[] {
  const named = only?.split(',').map(bugNamed);
  const chosen = numberedBugs.filter(
    (bug) => (!named || named.includes(bug)) && (!topic || topicOf(bug) === topic),
  );
  return sample ? draw(chosen, sample.seed, sample.count) : chosen;
}

const topicOf = ({ owasp }: Bug): Topic => (owasp ? 'security' : 'function');

/** What `--json` says about a bug. */
export function summarizeBug(bug: NumberedBug) {
  const { id, level, operation, summary, owasp } = bug;
  return { id, level, operation, summary, topic: topicOf(bug), ...(owasp && { owasp }) };
}

/** One line about a bug: number, level and operation; with `reveal`, also its name and summary. */
export function titleOf({ number, id, level, operation, summary }: NumberedBug, reveal: boolean): string {
  const place = `${String(number).padStart(2)}  ${level.padEnd(6)}  ${operation}`;
  return reveal ? `${place}  ${id}: ${summary}` : place;
}
