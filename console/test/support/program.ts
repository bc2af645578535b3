import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram as start, withQuickPasswords } from '../../../server/test/support/program.ts';

export interface Program extends AsyncDisposable {
  readonly production: string;
  readonly staging: string;
  /** The key of the demonstration store of production. */
  readonly key: string;
  /** Where its databases are. */
  readonly folder: string;
}

/** Starts the real program, both deployments, on a fresh folder. */
export async function startProgram(port = 0, more: readonly string[] = []): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-console-'));
  // Ids beyond the counters of a store.
  const limits = ['--max-pets', 'none', '--max-orders', 'none'];
  const args = ['--port', String(port), '--data', folder, ...limits, ...more];
  const { lines, key, stop } = await start(args, withQuickPasswords);
  const [production, staging] = lines.map((line) => /http:\/\/[^/]+/.exec(line)?.[0]);
  return {
    production: String(production),
    staging: String(staging),
    key,
    folder,
    async [Symbol.asyncDispose]() {
      await stop('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}
