import { defineConfig } from '@playwright/test';

const { PETSTORE_URL, PETSTORE_KEY } = process.env;

export default defineConfig({
  reporter: 'list',
  fullyParallel: true,
  use: {
    // The base URL ends with a slash, so paths start without one: `pets`.
    baseURL: `${PETSTORE_URL.replace(/\/$/, '')}/`,
    extraHTTPHeaders: { Authorization: `Bearer ${PETSTORE_KEY}` },
  },
});
