import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const sources = fileURLToPath(new URL('../../../cli/src/main.js', import.meta.url));
const main = process.env.TESTED_PROGRAM ?? sources;

export interface Deployment {
  readonly port: number;
  readonly key: string;
}

/** Starts the real program as a child process, with both deployments. */
export async function startService() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-acceptance-'));
  const child = spawn(
    process.execPath,
    [main, 'serve', '--port', '0', '--data', folder, '--rate-limit', '1000000'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const deployments: Deployment[] = [];
  for await (const line of createInterface(child.stdout)) {
    const [, port, key = ''] = /:(\d+)\/v1 +key (\S+)$/.exec(line) ?? [];
    deployments.push({ port: Number(port), key });
    if (deployments.length === 2) break;
  }
  child.stdout.resume();
  const [production, staging] = deployments as [Deployment, Deployment];
  return {
    production,
    staging,
    /** Creates a read-only key of another store of production. */
    async createReadKey(): Promise<string> {
      const args = ['keys', 'create', '--scope', 'read', '--deployment', 'production', '--data', folder];
      const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
      return stdout.trim();
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
