import type { Job } from '../writer/background.ts';
import { inOwnProcess } from './own-process.ts';

const DAY_MS = 86_400_000;

/** Looks once through a database that was not closed, by `petstore check`, and reports what is wrong with it. */
export function checkAfterCrash(
  where: readonly string[],
  report: (problems: readonly string[]) => void,
): Job {
  let done: { at: number; isGood: boolean } | undefined;
  return {
    name: 'check',
    last: () => done,
    rest: DAY_MS,
    async run(signal) {
      if (done) return;
      const { code, stdout, stderr } = await inOwnProcess(['check', ...where], signal);
      if (signal.aborted) return;
      const problems = stdout.split('\n').filter((line) => line !== '' && !line.endsWith(': ok'));
      if (code !== 0 && problems.length === 0)
        throw new Error(`the database could not be checked: ${stderr}`);
      done = { at: Date.now(), isGood: problems.length === 0 };
      report(problems);
    },
  };
}
