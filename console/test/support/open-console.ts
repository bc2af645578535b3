import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from './browser.ts';
import { type Program, startProgram } from './program.ts';

/** The program and a browser for the tests of one file: each test is a separate visitor. */
export function openConsole(): { readonly program: Program; readonly browser: Browser } {
  let program: Program | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), openBrowser()]);
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
  });
  return {
    get program() {
      return program as Program;
    },
    get browser() {
      return browser as Browser;
    },
  };
}
