import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../server/src/main.js', import.meta.url));

export interface Program extends AsyncDisposable {
  readonly production: string;
  readonly staging: string;
  /** Where its databases are. */
  readonly folder: string;
}

/** Starts the real program on a fresh folder, and waits until it says where it is. */
export async function startProgram(port = 0): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-console-'));
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^(PETSTORE_|NODE_OPTIONS$)/.test(name),
  );
  const child = spawn(process.execPath, [main, 'serve', '--port', String(port), '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: Object.fromEntries(environment),
  });
  const ended = once(child, 'close');
  let printed = '';
  child.stdout.setEncoding('utf8');
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += text;
    if (/^docs .*\n/m.test(printed)) break;
  }
  child.stdout.resume();
  const originOf = (name: string) => {
    const origin = new RegExp(`^${name} +(\\S+)/v1`, 'm').exec(printed)?.[1];
    if (origin === undefined) throw new Error(`the program did not start: ${printed}`);
    return origin;
  };
  return {
    production: originOf('production'),
    staging: originOf('staging'),
    folder,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
