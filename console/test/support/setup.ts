import sparticuz from '@sparticuz/chromium';
import { buildConsole } from './build.ts';

/** Once before all tests: the console is built, and Chromium unpacked, by nobody else at the same time. */
export default async function prepare(): Promise<void> {
  await Promise.all([buildConsole(), sparticuz.executablePath()]);
}
