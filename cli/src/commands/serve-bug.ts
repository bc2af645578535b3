import { startBugProxy } from '../../../checks/src/bugs/bug-proxy.ts';
import { freePort } from '../../../checks/src/engine/free-port.ts';
import { bugNamed } from '../../../checks/src/suite/numbered.ts';
import { serveWith } from '../../../server/src/commands/serve.ts';
import { serveConfigFrom } from '../../../server/src/config/serve-config.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call } from '../command-group.ts';

/** Serves staging with one planted bug: a proxy with the bug listens on its port and forwards to the service. */
export async function serveBug({ values: all, stderr }: Call): Promise<void> {
  const { bug: id, reveal, ...values } = all;
  const bug = bugNamed(String(id));
  if (values.deployment !== 'staging') throw new UsageError('--bug requires --deployment staging');
  const config = serveConfigFrom({ ...values, workers: '1', 'trust-proxy': true });
  const { host, ports } = config;
  if (host !== '127.0.0.1' && host !== '0.0.0.0')
    throw new UsageError('--bug only supports --host 127.0.0.1 or 0.0.0.0');

  const listenOn = { host: '127.0.0.1', port: await freePort() };
  await using proxy = await startBugProxy({
    target: listenOn.port,
    hooks: bug.createHooks(),
    operation: bug.operation,
    listedBug: { operation: bug.operation, ...(reveal ? { id: bug.id } : {}) },
    // A proxy in front has already set the client address.
    addsForwardedFor: values['trust-proxy'] !== true,
    host,
    port: ports.staging,
  });
  stderr.write(`petstore: serving planted bug ${bug.id} in ${bug.operation}\n`);
  await serveWith({ ...config, listenOn, ports: { ...ports, staging: Number(new URL(proxy.origin).port) } });
}
