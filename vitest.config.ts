import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests start the program some hundred times: Node keeps what it compiled for the next start.
process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

export default defineConfig({
  test: {
    include: ['**/test/**/*.test.ts'],
    // One PostgreSQL for the whole run, in which tests make databases of their own.
    globalSetup: ['server/test/support/postgres.ts', 'console/test/support/setup.ts'],
    // One more than a small machine has cores: much of the time is waiting for disks and for programs to start.
    maxWorkers: 3,
    // Files that run in the same worker share its modules, so that each is loaded once a worker.
    isolate: false,
    // Nothing is late by being slow: these only end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 100_000,
  },
});
