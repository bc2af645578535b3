import { runCommand } from './command.ts';

export interface Address {
  readonly base: string;
  readonly key: string;
}

/** Parses the line that the program prints for a deployment. */
export function parseAddress(line: string | undefined): Address {
  const [, base = '', key = ''] = /^\w+ +(\S+) +key (\S+)$/.exec(line ?? '') ?? [];
  return { base, key };
}

/** Runs the acceptance suite against a service, and returns its report. */
export async function runAcceptance(
  production: Address,
  staging: Address,
  ...flags: string[]
): Promise<string> {
  const args = ['check-service', '--level', 'all', '--url', production.base, '--key', production.key];
  args.push('--staging-url', staging.base, '--staging-key', staging.key, ...flags);
  const { stdout, stderr } = await runCommand(args);
  if (stdout === '') throw new Error(`no report: ${stderr}`);
  return stdout;
}
