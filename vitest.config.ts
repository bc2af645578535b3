import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/test/**/*.test.ts'],
    // One PostgreSQL for the whole run, in which tests make databases of their own.
    globalSetup: ['server/test/support/postgres.ts', 'console/test/support/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
