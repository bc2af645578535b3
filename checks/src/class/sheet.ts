import type { Bug } from '../bugs/bug.ts';
import { catalogue } from '../bugs/catalogue.ts';
import { exerciseOf } from '../suite/exercises.ts';
import type { SuiteResult } from './read-results.ts';

/** A bug, and the numbers of suites that were tested against it and that noticed it. */
export interface Row {
  readonly number: number;
  readonly bug: Bug;
  readonly exercise: string | undefined;
  readonly tested: number;
  readonly noticed: number;
}

/** The results of the test suites of a course's students, by bug. */
export interface Sheet {
  readonly results: readonly SuiteResult[];
  /** Names of suites whose result is empty. */
  readonly withoutResult: readonly string[];
  /** The bugs that at least one suite was tested against. */
  readonly rows: readonly Row[];
  readonly noticedByNone: readonly Row[];
  /** Noticed by some suites, but by fewer than half, most noticed first: the authors of those suites can explain how. */
  readonly toDiscuss: readonly Row[];
}

const MAX_TO_DISCUSS = 5;

export function sheetOf(all: readonly SuiteResult[]): Sheet {
  const results = all.filter(({ tested }) => tested.size > 0);
  const count = (has: (result: SuiteResult) => boolean) => results.filter(has).length;
  const rows = catalogue
    .map((bug, at) => ({
      number: at + 1,
      bug,
      exercise: exerciseOf(bug.id),
      tested: count(({ tested }) => tested.has(bug.id)),
      noticed: count(({ noticed }) => noticed.has(bug.id)),
    }))
    .filter(({ tested }) => tested > 0);
  const share = ({ tested, noticed }: Row) => noticed / tested;
  const partlyNoticed = rows.filter((row) => share(row) > 0 && share(row) < 0.5);
  return {
    results,
    withoutResult: all.filter((result) => !results.includes(result)).map(({ name }) => name),
    rows,
    noticedByNone: rows.filter(({ noticed }) => noticed === 0),
    toDiscuss: partlyNoticed.sort((a, b) => share(b) - share(a)).slice(0, MAX_TO_DISCUSS),
  };
}
