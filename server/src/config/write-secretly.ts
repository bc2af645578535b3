import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './usage-error.ts';

/** Writes beside a file and puts it in place whole; nobody but its owner can read it at any moment. */
export function writeSecretly(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}
