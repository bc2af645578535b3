import { reach, Unreachable } from './connect.ts';
import { type Context, createContext } from './context.ts';
import type { Client } from './http.ts';
import { help, type Options, readOptions, UsageError } from './options.ts';
import { jsonReport } from './reports/json.ts';
import { junitReport } from './reports/junit.ts';
import type { Count, Report } from './reports/report.ts';
import { textReport } from './reports/text.ts';
import { runChecks, selectChecks } from './run.ts';
import { buildSuite } from './suite.ts';

/** Standard output and standard error. */
export interface Output {
  readonly isColourful: boolean;
  print(text: string): void;
  warn(text: string): void;
}

/** Runs the suite as the arguments say, to its exit code. */
export async function runAcceptance(args: string[], output: Output): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') {
      output.print(help);
      return 0;
    }
    const client = await reach(options.base, options.key);
    const staging = options.staging && (await reach(options.staging.base, options.staging.key));
    return await checkService(options, output, client, staging);
  } catch (error) {
    if (error instanceof UsageError) {
      output.warn(`acceptance: ${error.message} (--help explains the options)\n`);
      return 2;
    }
    if (!(error instanceof Unreachable)) throw error;
    output.warn(`acceptance: ${error.message}\n`);
    return 1;
  }
}

async function checkService(
  options: Options,
  output: Output,
  client: Client,
  staging?: Client,
): Promise<number> {
  const { readKey, documentedOnly, only } = options;
  const context = createContext({
    client,
    isV1Only: documentedOnly,
    ...(staging && { staging }),
    ...(readKey && { readKey }),
  });
  const all = buildSuite(context).checks.filter(({ documented }) => documented || !documentedOnly);
  const checks = only === undefined ? all : selectChecks(all, only);
  for (const name of only ?? []) {
    if (selectChecks(all, [name]).length === 0) throw new UsageError(`--only names no check: ${name}`);
  }

  const reports = reportsOf(options, output);
  const count: Count = { passed: 0, failed: 0, 'not checked': 0 };
  for await (const result of runChecks(checks)) {
    count[result.verdict] += 1;
    for (const report of reports) report.result(result);
  }
  const notes = notesOn(context);
  await context.tidy().catch(() => notes.push('Note: not all that this run made could be tidied up.'));
  for (const report of reports) report.end(count, notes);
  return count.failed === 0 ? 0 : 1;
}

function reportsOf({ key, readKey, staging, json, junit }: Options, output: Output): Report[] {
  const secrets = [key, readKey, staging?.key].filter((secret) => secret !== undefined);
  return [
    json ? jsonReport(secrets, output.print) : textReport(secrets, output),
    ...(junit === undefined ? [] : [junitReport(junit, secrets)]),
  ];
}

function notesOn({ client, orders, staging }: Context): string[] {
  const notes: string[] = [];
  const lists = client.responses.filter(({ request }) => request === 'GET /store/orders');
  if (lists.length > 0 && lists.every(({ status }) => status === 401)) {
    notes.push('Note: the service refused the key every time. Is it a key of this deployment?');
  }
  if (orders.ranOut() || staging?.orders.ranOut()) {
    notes.push('Note: too few pending orders are left in this store. Use the key of a fresh one (--help).');
  }
  return notes;
}
