import type { Page } from 'playwright-core';

export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
