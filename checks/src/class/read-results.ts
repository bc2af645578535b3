import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { catalogue } from '../bugs/catalogue.ts';

const MAX_FILES = 1_000;
const MAX_BYTES = 4_000_000;

/** The result of one suite: the bugs it was tested against (none if its file is empty), and those it noticed. */
export interface SuiteResult {
  /** The file name without `.json`. */
  readonly name: string;
  readonly tested: ReadonlySet<string>;
  readonly noticed: ReadonlySet<string>;
}

/** Reads every `--json` result of check-suite in a folder. Files come from students: only known bug ids are taken from them. */
export function readResults(folder: string): SuiteResult[] {
  const files = filesIn(folder);
  if (files.length === 0) throw new UsageError(`no .json file in ${folder}`);
  if (files.length > MAX_FILES) throw new UsageError(`more than ${MAX_FILES} .json files in ${folder}`);
  return files.map((file) => readResult(join(folder, file)));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch (error) {
    throw new UsageError(`cannot read ${folder}: ${(error as Error).message}`);
  }
}

const ids = new Set(catalogue.map(({ id }) => id));

function readResult(path: string): SuiteResult {
  const tested = new Set<string>();
  const noticed = new Set<string>();
  const name = basename(path, '.json');
  // check-suite prints no result for a suite that fails against the correct service.
  if (statSync(path).size === 0) return { name, tested, noticed };
  for (const { id, noticed: isNoticed } of bugsIn(path)) {
    if (!ids.has(id))
      throw new UsageError(`${path} has a bug that this version does not know: update petstore`);
    tested.add(id);
    if (isNoticed === true) noticed.add(id);
  }
  return { name, tested, noticed };
}

function bugsIn(path: string): { id: string; noticed?: unknown }[] {
  const invalidResult = (why: string) =>
    new UsageError(`${path} is not a result of check-suite --json: ${why}`);
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw invalidResult('it is too large');
  let result: unknown;
  try {
    result = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw invalidResult((error as Error).message);
  }
  const { bugs } = (result ?? {}) as { bugs?: unknown };
  const isBug = (bug: unknown) => typeof (bug as { id?: unknown } | null)?.id === 'string';
  if (!Array.isArray(bugs) || !bugs.every(isBug)) throw invalidResult('it has no list of bugs');
  return bugs;
}
