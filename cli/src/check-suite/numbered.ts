import type { Bug } from '../../../acceptance/src/bugs/bug.ts';
import { catalogue } from '../../../acceptance/src/bugs/catalogue.ts';
import type { Values } from '../flags.ts';
import { onlyOf } from '../report/read-flags.ts';

/** A bug is shown by its number, so that a class does not read the answer off the list. */
export interface NumberedBug extends Bug {
  readonly number: number;
}

const numbered: readonly NumberedBug[] = catalogue.map((bug, at) => ({ ...bug, number: at + 1 }));

/** Those that `--only` names, by id or by number. */
export function chosenBugs(values: Values): readonly NumberedBug[] {
  if (values.only === undefined) return numbered;
  const idOf = (name: string) => numbered.find(({ number }) => String(number) === name)?.id ?? name;
  return onlyOf(numbered, { ...values, only: String(values.only).split(',').map(idOf).join() });
}

/** What may be told of a bug: where it is, and what it is only to those who want to know. */
export function titleOf({ number, id, level, operation, summary }: NumberedBug, reveal: boolean): string {
  const place = `${String(number).padStart(2)}  ${level.padEnd(6)}  ${operation}`;
  return reveal ? `${place}  ${id}: ${summary}` : place;
}
