import { startBreakingProxy } from '../../../acceptance/src/bugs/breaking-proxy.ts';
import type { ServerCommand } from '../../../server/src/config/flags.ts';
import { serveConfigFrom } from '../../../server/src/config/serve-config.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { bugNamed } from '../check-suite/numbered.ts';
import type { Values } from '../flags.ts';
import { freePort } from '../free-port.ts';

/** Serves staging with one planted bug: the service stands on another port, and a proxy on its own breaks it. */
export async function serveBug({ bug: id, reveal, ...values }: Values, serve: ServerCommand): Promise<void> {
  const bug = bugNamed(String(id));
  if (values.deployment !== 'staging')
    throw new UsageError('--bug needs --deployment staging: production is never wrong on purpose');
  const { host, ports, publicAddresses, demo } = serveConfigFrom(values);
  if (host !== '127.0.0.1' && host !== '0.0.0.0')
    throw new UsageError('--bug is served on 127.0.0.1 or, with --host, on 0.0.0.0');

  const target = await freePort();
  await using proxy = await startBreakingProxy({
    target,
    breaking: bug.breaks(),
    operation: bug.operation,
    shown: { operation: bug.operation, ...(reveal ? { id: bug.id } : {}) },
    host,
    port: ports.staging,
  });
  console.error(`petstore: wrong on purpose, in ${bug.operation}: ${bug.id}`);
  await serve(
    {
      ...values,
      port: String(target),
      'staging-base-url': publicAddresses.staging ?? proxy.origin.replace('0.0.0.0', '127.0.0.1'),
      demo,
      workers: '1',
    },
    [],
  );
}
