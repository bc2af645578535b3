import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsOf } from './problems-of.ts';
import { careful, type Trap, textOf } from './traps.ts';

/** Puts these questions, or all, to a careful client with a mistake. */
export async function problemsOfTrap(trap: Trap, ids?: string[], seconds?: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-trap-'));
  const { command, extension } = careful[trap.language];
  const file = join(folder.path, `client.${extension}`);
  writeFileSync(file, textOf(trap));
  return await problemsOf(command(file), ids, seconds);
}
