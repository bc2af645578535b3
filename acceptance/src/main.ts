import { CannotProve, type Check, type Suite } from './check.ts';
import { type Context, createContext } from './context.ts';
import { type Client, createClient } from './http.ts';
import { Mismatch } from './mismatch.ts';
import { help, type Options, readOptions, UsageError } from './options.ts';
import { createReport, type Report } from './report.ts';
import { buildSuite } from './suite.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let options: Options | 'help';
  try {
    options = readOptions(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`acceptance: ${error.message} (--help explains the options)\n`);
    return 2;
  }
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  return checkService(options);
}

async function checkService({ base, key, staging, documentedOnly }: Options): Promise<number> {
  const client = createClient(base, key);
  const twin = staging && createClient(staging.base, staging.key);
  for (const each of [client, twin]) {
    const obstacle = each && (await obstacleTo(each));
    if (obstacle) {
      process.stderr.write(`acceptance: cannot reach ${each.base.href}: ${obstacle}\n`);
      return 1;
    }
  }
  const context = createContext(client, twin);
  const colourful = process.stdout.isTTY && !process.env.NO_COLOR;
  const report = createReport([key, ...(staging ? [staging.key] : [])], colourful);
  const { passed, failed } = await run(buildSuite(context), documentedOnly, report);
  for (const note of notesOn(context)) report.note(note);
  report.total(passed, failed);
  return failed === 0 ? 0 : 1;
}

async function run({ entries }: Suite, documentedOnly: boolean, report: Report) {
  const count = { passed: 0, failed: 0 };
  let section: string | undefined;
  for (const entry of entries) {
    if (documentedOnly && !('documented' in entry && entry.documented)) continue;
    if (entry.section !== section) report.heading(entry.section);
    section = entry.section;
    const verdict = 'run' in entry ? await judge(entry, report) : 'unproven';
    if ('reason' in entry) report.unproven(entry.sentence, entry.reason);
    if (verdict !== 'unproven') count[verdict] += 1;
  }
  return count;
}

async function judge({ sentence, run }: Check, report: Report): Promise<'passed' | 'failed' | 'unproven'> {
  try {
    await run();
  } catch (error) {
    if (error instanceof CannotProve) {
      report.unproven(sentence, error.message);
      return 'unproven';
    }
    report.failed(sentence, error);
    return 'failed';
  }
  report.passed(sentence);
  return 'passed';
}

/** Why no answer comes from there at all; undefined if one does. */
async function obstacleTo(client: Client): Promise<string | undefined> {
  try {
    await client.send({ path: '/pets' });
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ECONNREFUSED' ? 'connection refused' : message || code || 'no answer';
  }
}

function notesOn({ client, orders, staging }: Context): string[] {
  const notes: string[] = [];
  const lists = client.answers.filter(({ request }) => request === 'GET /store/orders');
  if (lists.length > 0 && lists.every(({ status }) => status === 401)) {
    notes.push('Note: the service refused the key every time. Is it a key of this deployment?');
  }
  if (orders.ranOut() || staging?.orders.ranOut()) {
    notes.push('Note: too few pending orders are left in this store. Use the key of a fresh one (--help).');
  }
  return notes;
}
