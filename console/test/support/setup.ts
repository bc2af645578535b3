import sparticuz from '@sparticuz/chromium';
import { buildConsole } from './build.ts';

/** Builds the console and unpacks Chromium once, before all tests. */
export async function prepareConsole(): Promise<void> {
  await Promise.all([buildConsole(), sparticuz.executablePath()]);
}
