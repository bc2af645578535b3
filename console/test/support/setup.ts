import { buildConsole } from '../../scripts/build.ts';
import { chromiumPath } from './chromium.ts';

/** Builds the console and unpacks Chromium, before all tests. */
export async function prepareConsole(): Promise<void> {
  await Promise.all([buildConsole(), chromiumPath()]);
}
