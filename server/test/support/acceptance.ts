import { runCommand } from './command.ts';

export interface Addresses {
  readonly base: string;
  readonly key: string;
}

/** What the program printed about a deployment. */
export function addressOf(line: string | undefined): Addresses {
  const [, base = '', key = ''] = /^\w+ +(\S+) +key (\S+)$/.exec(line ?? '') ?? [];
  return { base, key };
}

/** Runs the acceptance suite against a service, and returns its report. */
export async function accept(production: Addresses, staging: Addresses, ...flags: string[]): Promise<string> {
  const args = ['check-service', '--level', 'all', '--url', production.base, '--key', production.key];
  args.push('--staging-url', staging.base, '--staging-key', staging.key, ...flags);
  const { stdout, stderr } = await runCommand(args);
  if (stdout === '') throw new Error(`no report: ${stderr}`);
  return stdout;
}
