import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../acceptance/src/main.ts', import.meta.url));

export interface Addresses {
  readonly base: string;
  readonly key: string;
}

/** What the program printed of a deployment. */
export function addressOf(line: string | undefined): Addresses {
  const [, base = '', key = ''] = /^\w+ +(\S+) +key (\S+)$/.exec(line ?? '') ?? [];
  return { base, key };
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(child, 'close');
  return text;
}

/** Runs the acceptance suite, and gives its report. */
export function accept(production: Addresses, staging: Addresses, ...flags: string[]): Promise<string> {
  const args = ['--base', production.base, '--key', production.key];
  args.push('--staging-base', staging.base, '--staging-key', staging.key, ...flags);
  return output(
    spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}
