import { createClient, PetStoreError } from '../../../client/src/index.ts';
import { type DeploymentName, deploymentNames, deployments } from '../../../server/src/domain/deployment.ts';
import { keyMatcher } from '../../../server/src/domain/key-format.ts';
import about from '../../package.json' with { type: 'json' };
import type { Call } from '../command-group.ts';
import { type Connection, connectionOf } from '../connection.ts';
import { explainResponse } from '../exit-codes.ts';
import { coloured, exitWhenReaderCloses, plain, print, printResult } from '../output.ts';
import { serviceVersion } from '../service-version.ts';

interface Finding {
  readonly check: 'versions' | 'profile' | 'address' | 'key' | 'clock';
  readonly ok: boolean;
  readonly message: string;
}

/** Beyond this clock skew, keys seem to expire at the wrong time and webhook signatures are rejected. */
const MAX_CLOCK_SKEW_SECONDS = 5;

/** Checks everything between this machine and a store. Exit code 1 if a check fails. */
export const doctor = exitWhenReaderCloses(async (call) => {
  const findings: Finding[] = [];
  for await (const finding of examine(call)) {
    findings.push(finding);
    if (call.values.json === true) continue;
    const mark = finding.ok ? coloured('green', 'ok  ', call) : coloured('red', 'FAIL', call);
    const name = coloured('bold', finding.check.padEnd(8), call);
    await print(`${mark}  ${name}  ${plain(finding.message)}\n`, call);
  }
  if (call.values.json === true) await printResult('', findings, call);
  return findings.some(({ ok }) => !ok) ? 1 : 0;
});

async function* examine(call: Call): AsyncGenerator<Finding> {
  yield {
    check: 'versions',
    ok: true,
    message: `petstore ${about.version} on Node ${process.versions.node}`,
  };
  let connection: Connection;
  try {
    connection = connectionOf(call);
  } catch (error) {
    return yield { check: 'profile', ok: false, message: (error as Error).message };
  }
  const { origin, baseUrl, key, profile } = connection;
  const from = profile === undefined ? 'flags and environment variables' : `profile ${profile}`;
  yield { check: 'profile', ok: true, message: `URL and key from ${from}` };

  const deployment = deploymentNames.find((name) => keyMatcher(name)(key));
  let clock: Finding | undefined;
  const client = createClient({
    baseUrl,
    key,
    retries: 0,
    tryTimeout: 10_000,
    fetch: async (...request) => {
      const response = await fetch(...request);
      clock = clockFinding(response.headers.get('date'));
      return response;
    },
  });
  const error = await client.pets.list({ limit: 1 }).then(
    () => undefined,
    (thrown: PetStoreError) => thrown,
  );
  if (error && !(error instanceof PetStoreError)) throw error;
  if (error && error.status === undefined)
    return yield { check: 'address', ok: false, message: `${baseUrl} does not respond. ${error.message}` };
  const service = await serviceVersion(origin);
  if (service === undefined)
    return yield { check: 'address', ok: false, message: `the server at ${baseUrl} is not Pet Store` };
  yield {
    check: 'address',
    ok: true,
    message: `${baseUrl} is Pet Store, API v2 version ${service}`,
  };
  yield keyFinding(key, deployment, error);
  if (clock) yield clock;
}

function keyFinding(
  key: string,
  deployment: DeploymentName | undefined,
  error: PetStoreError | undefined,
): Finding {
  const hasKnownPrefix = deploymentNames.some((name) => key.startsWith(deployments[name].keyPrefix));
  if (!error)
    return {
      check: 'key',
      ok: true,
      message: `the key ending in ${key.slice(-4)} works${deployment ? ` (${deployment})` : ''}`,
    };
  if (error.status !== 401) return { check: 'key', ok: false, message: explainResponse(error) };
  if (!deployment)
    return {
      check: 'key',
      ok: false,
      message: `not a valid API key${hasKnownPrefix ? ': a character is wrong or missing' : ''}`,
    };
  return {
    check: 'key',
    ok: false,
    message: `the ${deployment} key was rejected: it may be revoked, or this may not be the URL of ${deployment}`,
  };
}

function clockFinding(date: string | null): Finding | undefined {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const seconds = Math.round((Date.now() - theirs) / 1000);
  const ok = Math.abs(seconds) <= MAX_CLOCK_SKEW_SECONDS;
  const where = seconds > 0 ? 'ahead of' : 'behind';
  return {
    check: 'clock',
    ok,
    message: ok
      ? 'in sync with the service'
      : `this machine is ${Math.abs(seconds)} s ${where} the service; synchronize its clock`,
  };
}
