import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { generator } from './load/rate.ts';
import { canPin } from './processes.ts';
import { nginx } from './subjects/nginx.ts';
import { versionOf } from './subjects/peers.ts';

/** What the figures depend on. */
export function describeMachine(): Record<string, string | number | boolean> {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    system: `${type()} ${release()}`,
    pinned: canPin,
    loadGenerator: generator,
  };
}

export function describeVersions(postgres: string | undefined): Record<string, string> {
  return {
    node: process.version,
    sqlite: process.versions.sqlite ?? 'unknown',
    ...(postgres === undefined ? {} : { postgres }),
    'json-server': versionOf('json-server'),
    prism: versionOf('@stoplight/prism-cli'),
    ...(nginx === undefined ? {} : { nginx: nginxVersion(nginx) }),
  };
}

function nginxVersion(program: string): string {
  const text = execFileSync('sh', ['-c', `"${program}" -v 2>&1`], { encoding: 'utf8' });
  return /nginx\/(\S+)/.exec(text)?.[1] ?? 'unknown';
}
