import { rmSync } from 'node:fs';
import { isLoopback } from '../config/loopback.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import { UsageError } from '../config/usage-error.ts';
import { writePrivateFile } from '../config/write-private-file.ts';
import type { DeploymentName } from '../domain/deployment.ts';

interface Started {
  readonly name: DeploymentName;
  readonly origin: string;
  readonly key: string | undefined;
}

export function announce(started: readonly Started[], config: ServeConfig): void {
  const { host, json, envFile, stagingKey } = config;
  // The service keeps running if the reader closes the pipe.
  process.stdout.on('error', () => {});
  if (envFile !== undefined) writePrivateFile(envFile, variablesOf(started));
  if (stagingKey !== undefined)
    console.error(`Warning: the staging key ${stagingKey} is public. Use it for tests only.`);
  console.log(json ? JSON.stringify(addressesOf(started)) : linesOf(started, host).join('\n'));
}

/** Removes the file of an earlier run: clients take its existence as a sign that the service is ready. */
export function removeEnvFile({ envFile }: ServeConfig): void {
  if (envFile === undefined) return;
  try {
    rmSync(envFile, { force: true });
  } catch (error) {
    throw new UsageError(`invalid --env-file '${envFile}': ${(error as Error).message}`);
  }
}

function linesOf(started: readonly Started[], host: string): string[] {
  /** A console link that signs in with the key, if the service is only reachable from this machine. */
  const signInLink = ({ origin, key }: Started) =>
    key !== undefined && isLoopback(host) ? `${origin}/console/open#${key}` : undefined;
  const lines = started.map(({ name, origin, key }) => [name, `${origin}/v1${key ? `  key ${key}` : ''}`]);
  const first = started[0] as Started;
  lines.push(['console', `${first.origin}/console`], ['docs', `${first.origin}/docs`]);
  const store = signInLink(first);
  if (store) lines.push(['store', store]);
  const staging = started.find(({ name }) => name === 'staging');
  if (staging) lines.push(['sandbox', signInLink(staging) ?? `${staging.origin}/console`]);
  return lines.map(([name = '', address]) => name.padEnd(12) + address);
}

function addressesOf(started: readonly Started[]): Record<string, unknown> {
  const { origin } = started[0] as Started;
  const all = started.map(({ name, origin: own, key }) => [
    name,
    { url: `${own}/v1`, v2Url: `${own}/v2`, key },
  ]);
  return { ...Object.fromEntries(all), console: `${origin}/console`, docs: `${origin}/docs` };
}

function variablesOf(started: readonly Started[]): string {
  const lines = started.flatMap(({ name, origin, key }, index) => {
    const suffix = index === 0 ? '' : `_${name.toUpperCase()}`;
    const urls = [`PETSTORE_URL${suffix}=${origin}/v1`, `PETSTORE_V2_URL${suffix}=${origin}/v2`];
    return key === undefined ? urls : [...urls, `PETSTORE_KEY${suffix}=${quoted(key)}`];
  });
  return `${lines.join('\n')}\n`;
}

/** Quotes a custom key that contains shell metacharacters. */
function quoted(text: string): string {
  return /^[\w.:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
