import { availableParallelism } from 'node:os';
import { matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const cached = (path: string) => fileURLToPath(new URL(`node_modules/.cache/${path}`, import.meta.url));
// Tests start the program hundreds of times: as one bundle, so that Node can cache the compiled code.
process.env.TESTED_PROGRAM = cached('program/dist/main.js');
process.env.NODE_COMPILE_CACHE = cached('compiled');

/** Replaces the module that locates the worker threads, by the path that its importers use. */
const bundledThreads = {
  '../concurrency/thread-files.ts': fileURLToPath(
    new URL('server/test/support/bundled-threads.ts', import.meta.url),
  ),
};

/**
 * These take long. A file is in the slow tier by its name, `*.slow.test.ts`: `npm test` and `npm run verify` exclude it.
 * Any file runs when it is named: `npx vitest run server/test/program/torture.slow.test.ts`.
 */
const long = [
  '**/*.slow.test.ts',
  'console/test/**',
  'checks/test/{check-client,check-suite}.test.ts',
  'cli/test/run.test.ts',
  'client/test/{docs,rehearsed-failures}.test.ts',
  'server/test/database/{damage,migrations}.test.ts',
  'server/test/operations/nth-call-fails.test.ts',
  'server/test/orders/{dates-by-id,model,plans}.test.ts',
  'server/test/postgres/**',
  'server/test/program/**',
  'server/test/sandbox/{custom-data,reset-limits}.test.ts',
  'server/test/v1/lists/**',
];
const isLong = (file: string) => long.some((glob) => matchesGlob(relative(import.meta.dirname, file), glob));

/** Long files start first, even without durations from an earlier run, so that none runs alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: first = [], false: rest = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      String(isLong(moduleId)),
    );
    return [...first, ...rest];
  }
}

export default defineConfig(({ mode }) => {
  // `npm run verify:all`: both tiers, and the long tests do everything they can.
  if (mode === 'all') process.env.EFFORT ??= 'all';
  return {
    resolve: { alias: bundledThreads },
    test: {
      include: ['**/test/**/*.test.ts'],
      globalSetup: 'server/test/support/before-all.ts',
      sequence: { sequencer: LongFirst },
      // One more than the cores: some of the time is waiting for disks and for programs to start.
      maxWorkers: availableParallelism() + 1,
      // Files that run in the same worker share its modules, so that each is loaded once a worker.
      isolate: false,
      // Nothing is late by being slow: these only end what hangs.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      teardownTimeout: 100_000,
      expect: { poll: { timeout: 200_000 } },
    },
  };
});
