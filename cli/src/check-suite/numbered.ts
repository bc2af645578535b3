import type { Bug } from '../../../acceptance/src/bugs/bug.ts';
import { catalogue } from '../../../acceptance/src/bugs/catalogue.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Values } from '../flags.ts';

/** A bug is shown by its number, so that a class does not read the answer off the list. */
export interface NumberedBug extends Bug {
  readonly number: number;
}

const numbered: readonly NumberedBug[] = catalogue.map((bug, at) => ({ ...bug, number: at + 1 }));

/** The bug of this id or number. */
export function bugNamed(name: string): NumberedBug {
  const bug = numbered.find(({ id, number }) => id === name || String(number) === name);
  if (!bug) throw new UsageError(`there is no bug '${name}'; check-suite --list shows what there is`);
  return bug;
}

/** Those that `--only` names. */
export function chosenBugs({ only }: Values): readonly NumberedBug[] {
  if (only === undefined) return numbered;
  const chosen = String(only).split(',').map(bugNamed);
  return numbered.filter((bug) => chosen.includes(bug));
}

/** What may be told of a bug: where it is, and what it is only to those who want to know. */
export function titleOf({ number, id, level, operation, summary }: NumberedBug, reveal: boolean): string {
  const place = `${String(number).padStart(2)}  ${level.padEnd(6)}  ${operation}`;
  return reveal ? `${place}  ${id}: ${summary}` : place;
}
