import { defineConfig } from '@playwright/test';

const { PETSTORE_URL, PETSTORE_KEY } = process.env;

export default defineConfig({
  reporter: 'list',
  fullyParallel: true,
  use: {
    // With the slash, paths are written without one: `pets`.
    baseURL: `${PETSTORE_URL.replace(/\/$/, '')}/`,
    extraHTTPHeaders: { Authorization: `Bearer ${PETSTORE_KEY}` },
  },
});
