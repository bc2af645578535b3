import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { freePort } from '../src/engine/free-port.ts';

const script = fileURLToPath(new URL('../../examples/gateways/run.sh', import.meta.url));
const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter);
const isInstalled = (program: string) => spawnSync(program, ['-v'], { env: { PATH } }).error === undefined;

const gateways = [
  ['nginx', 'nginx'],
  ['haproxy', 'haproxy'],
  ['apache', 'apache2'],
] as const;

/** Caddy is left out: the one of Debian 12 cannot pass. */
describe.concurrent('the recommended configuration passes every check', () => {
  for (const [name, program] of gateways)
    it.skipIf(!isInstalled(program))(`of ${name}`, async () => {
      const [port, originPort] = [await freePort(), await freePort()];
      const flags = ['--through', `http://127.0.0.1:${port}`, '--origin-port', String(originPort)];
      const env = { PATH, GATEWAY_PORT: String(port) };
      const { code, stdout } = await runCommand(['check-gateway', ...flags, '--', script, name], { env });
      expect([code, stdout.split('\n').filter((line) => line.startsWith('FAIL'))]).toEqual([0, []]);
    });
});
