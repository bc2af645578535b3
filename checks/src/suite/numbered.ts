import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Bug } from '../bugs/bug.ts';
import { catalogue } from '../bugs/catalogue.ts';
import { didYouMean } from '../engine/suggest.ts';

/** Bugs are shown by number, so that the list does not give away the solutions to a class. */
export interface NumberedBug extends Bug {
  readonly number: number;
}

const numbered: readonly NumberedBug[] = catalogue.map((bug, at) => ({ ...bug, number: at + 1 }));
const ids = catalogue.map(({ id }) => id);

/** Finds a bug by id or number. */
export function bugNamed(name: string): NumberedBug {
  const bug = numbered.find(({ id, number }) => id === name || String(number) === name);
  if (!bug)
    throw new UsageError(`unknown bug '${name}'${didYouMean(name, ids)}; run petstore check-suite --list`);
  return bug;
}

/** The bugs selected by `--only`. */
export function chosenBugs(only: string | undefined): readonly NumberedBug[] {
  if (only === undefined) return numbered;
  const chosen = only.split(',').map(bugNamed);
  return numbered.filter((bug) => chosen.includes(bug));
}

/** One line about a bug: number, level and operation; with `reveal`, also its name and summary. */
export function titleOf({ number, id, level, operation, summary }: NumberedBug, reveal: boolean): string {
  const place = `${String(number).padStart(2)}  ${level.padEnd(6)}  ${operation}`;
  return reveal ? `${place}  ${id}: ${summary}` : place;
}
