import { didYouMean } from '../../../checks/src/engine/suggest.ts';
import { cleanerOf } from '../../../checks/src/service/causes.ts';
import { changesText } from '../../../checks/src/service/changes-text.ts';
import { type Check, type Level, levels } from '../../../checks/src/service/check.ts';
import {
  type Address,
  checksOf,
  levelOf,
  openRun,
  type ServiceOptions,
} from '../../../checks/src/service/check-service.ts';
import { causeLines, jsonOf, problemTextOf, reportOf, scoreOf } from '../../../checks/src/service/report.ts';
import { type Result, selectChecks } from '../../../checks/src/service/run.ts';
import type { Named } from '../../../checks/src/service/spec/store.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { secondsOf } from '../check-flags.ts';
import type { Call } from '../command-group.ts';
import { addressFrom, keyFrom } from '../connection.ts';
import type { Values } from '../flags.ts';
import { printResult } from '../output.ts';
import { startCheck } from '../start-check.ts';

const marks = { passed: 'PASS', failed: 'FAIL', 'not checked': 'SKIP' } as const;

/** Checks a running service against the statements of a level, and prints the failures by cause. */
export async function checkService(call: Call): Promise<number> {
  const { values, stderr } = call;
  const selection = selectionOf(values);
  const checks = checksOf(selection);
  for (const name of selection.only ?? []) requireKnownCheck(name, selection);
  if (values.list === true) return list(checks, call);
  const options = { ...selection, ...productionOf(values) };
  const { limits, say, estimate, finish } = startCheck(call);
  const run = await openRun(options);
  stderr.write(`${changesText(run.base, run.checks.length, { ...options, level: levelOf(options) })}\n`);

  const secrets = [options.key, options.staging?.key, options.readKey].filter(
    (secret) => secret !== undefined,
  );
  const clean = cleanerOf(secrets);
  const results: Result[] = [];
  try {
    for await (const result of run.results) {
      limits.interruption.throwIfAborted();
      results.push(result);
      const why = problemTextOf(result, clean);
      say(`${marks[result.verdict]}  ${result.check.statement} [${result.check.id}]${why ? `: ${why}` : ''}`);
      estimate(results.length, run.checks.length);
    }
  } finally {
    await run.cleanUp().catch(() => stderr.write('Not everything that this run created could be removed.\n'));
  }
  const reported = { results, secrets, clean };
  for (const line of causeLines(reported)) say(line);
  say(`\n${scoreOf(results)}`);
  return finish(reportOf(reported, run.base), jsonOf(reported));
}

type Selection = Omit<ServiceOptions, keyof Address>;

function selectionOf(values: Values): Selection {
  const { level = 'spec', only, pending, shipped } = values;
  if (!levels.some((candidate) => candidate === level))
    throw new UsageError(`invalid --level '${level}': must be ${levels.join(', ')}`);
  const staging = stagingOf(values);
  const named: Named = {
    ...(pending !== undefined && { pending: idOf('pending', pending) }),
    ...(shipped !== undefined && { shipped: idOf('shipped', shipped) }),
  };
  return {
    level: level as Level,
    named,
    isReadOnly: values['read-only'] === true,
    isDocumentedOnly: values['documented-only'] === true,
    seconds: secondsOf(values),
    ...(only !== undefined && { only: String(only).split(',') }),
    ...(staging && { staging }),
    ...(values['read-key'] !== undefined && { readKey: keyFrom(values['read-key']) }),
  };
}

function productionOf(values: Values): Address {
  const url = values.url ?? values.base;
  if (url === undefined)
    throw new UsageError('check-service requires the service to check: --url URL --key KEY');
  if (values.key === undefined) throw new UsageError('check-service requires an API key: --key KEY');
  return { url: urlOf(url), key: keyFrom(values.key) };
}

function stagingOf(values: Values): Address | undefined {
  const url = values['staging-url'] ?? values['staging-base'];
  const key = values['staging-key'];
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined || key === undefined)
    throw new UsageError('--staging-url and --staging-key must be used together');
  return { url: urlOf(url), key: keyFrom(key) };
}

/** Validates a base address and returns it unchanged: any path may precede `/v1`. */
function urlOf(text: string | boolean): string {
  addressFrom(text);
  return String(text);
}

function idOf(name: string, text: string | boolean): bigint {
  if (/^-?\d{1,19}$/.test(String(text))) return BigInt(text);
  throw new UsageError(`invalid --${name} '${text}': must be the id of an order`);
}

function requireKnownCheck(name: string, selection: Selection): void {
  const { only: _, ...rest } = selection;
  const all = checksOf({ ...rest, level: 'all' });
  if (selectChecks(all, [name]).length > 0) return;
  const ids = all.map(({ id }) => id);
  throw new UsageError(
    `unknown check '${name}' in --only${didYouMean(name, ids)}; run with --list to see all`,
  );
}

async function list(checks: readonly Check[], call: Call): Promise<number> {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = checks.map(({ id, statement }) => `${id.padEnd(width)}  ${statement}`);
  await printResult(
    lines.join('\n'),
    checks.map(({ id, statement, level }) => ({ id, statement, level })),
    call,
  );
  return 0;
}
