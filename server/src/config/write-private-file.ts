import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/** Writes atomically through a temporary file that only the owner can read. */
export function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}
