import { createClient, PetStoreError } from '../../../client/src/index.ts';
import { type DeploymentName, deploymentNames, deployments } from '../../../server/src/deployment.ts';
import { keyForm } from '../../../server/src/key-format.ts';
import about from '../../package.json' with { type: 'json' };
import { type Connection, connectionOf } from '../connection.ts';
import { explainAnswer } from '../exit-codes.ts';
import { coloured, endsWithReader, plain, print, tell } from '../output.ts';
import type { Call } from '../place.ts';
import { serviceVersion } from '../service-version.ts';

interface Finding {
  readonly check: 'versions' | 'profile' | 'address' | 'key' | 'clock';
  readonly ok: boolean;
  readonly says: string;
}

/** Clocks that differ by more make trouble: keys expire at another time, signed webhooks are refused. */
const MOST_SECONDS_APART = 5;

/** Looks at everything between here and a store, and says what is wrong with it. */
export const doctor = endsWithReader(async (call) => {
  const findings: Finding[] = [];
  for await (const finding of examine(call)) {
    findings.push(finding);
    if (call.values.json === true) continue;
    const mark = finding.ok ? coloured('green', 'ok', call) : coloured('red', 'NO', call);
    const name = coloured('bold', finding.check.padEnd(8), call);
    await print(`${mark}  ${name}  ${plain(finding.says)}\n`, call);
  }
  if (call.values.json === true) await tell('', findings, call);
  return findings.some(({ ok }) => !ok) ? 1 : 0;
});

async function* examine(call: Call): AsyncGenerator<Finding> {
  yield { check: 'versions', ok: true, says: `petstore ${about.version} on Node ${process.versions.node}` };
  let connection: Connection;
  try {
    connection = connectionOf(call);
  } catch (error) {
    return yield { check: 'profile', ok: false, says: (error as Error).message };
  }
  const { origin, baseUrl, key, profile } = connection;
  const from = profile === undefined ? 'flags and variables' : `profile ${profile}`;
  yield { check: 'profile', ok: true, says: `address and key are of ${from}` };

  const written = deploymentNames.find((name) => keyForm(name)(key));
  let clock: Finding | undefined;
  const client = createClient({
    baseUrl,
    key,
    retries: 0,
    tryTimeout: 10_000,
    fetch: async (...request) => {
      const answer = await fetch(...request);
      clock = clockOf(answer.headers.get('date'));
      return answer;
    },
  });
  const called = await client.pets.list({ limit: 1 }).then(
    () => undefined,
    (error: PetStoreError) => error,
  );
  if (called && !(called instanceof PetStoreError)) throw called;
  if (called && called.status === undefined)
    return yield { check: 'address', ok: false, says: `${baseUrl} does not answer. ${called.message}` };
  const service = await serviceVersion(origin);
  if (service === undefined)
    return yield { check: 'address', ok: false, says: `what answers at ${baseUrl} is not Pet Store` };
  yield {
    check: 'address',
    ok: true,
    says: `${baseUrl} is Pet Store, version 2 of its interface is ${service}`,
  };
  yield keyFinding(key, written, called);
  if (clock) yield clock;
}

function keyFinding(
  key: string,
  written: DeploymentName | undefined,
  error: PetStoreError | undefined,
): Finding {
  const known = deploymentNames.find((name) => key.startsWith(deployments[name].keyPrefix));
  if (!error)
    return {
      check: 'key',
      ok: true,
      says: `the key that ends in ${key.slice(-4)} opens a store${written ? ` of ${written}` : ''}`,
    };
  if (error.status !== 401) return { check: 'key', ok: false, says: explainAnswer(error) };
  if (!written)
    return {
      check: 'key',
      ok: false,
      says: `this is no key${known ? ' as we make them: a character is wrong or missing' : ''}`,
    };
  return {
    check: 'key',
    ok: false,
    says: `the key is one of ${written}, and refused: is this the address of ${written}? Was it revoked?`,
  };
}

function clockOf(date: string | null): Finding | undefined {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return undefined;
  const seconds = Math.round((Date.now() - theirs) / 1000);
  const ok = Math.abs(seconds) <= MOST_SECONDS_APART;
  const where = seconds > 0 ? 'ahead of' : 'behind';
  return {
    check: 'clock',
    ok,
    says: ok
      ? 'the clocks of this machine and of the service agree'
      : `the clock of this machine is ${Math.abs(seconds)} s ${where} that of the service`,
  };
}
