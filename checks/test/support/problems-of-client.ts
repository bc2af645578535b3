import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangedClient, careful, sourceOf } from './flawed-clients.ts';
import { problemsOf } from './problems-of.ts';

/** Runs check-client with these questions, or all, against a changed client. */
export async function problemsOfClient(client: ChangedClient, ids?: string[], seconds?: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-client-'));
  const { command, extension } = careful[client.language];
  const file = join(folder.path, `client.${extension}`);
  writeFileSync(file, sourceOf(client));
  return await problemsOf(command(file), ids, seconds);
}
