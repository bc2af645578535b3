import { once } from 'node:events';
import { openPrivateStore } from '../../../server/src/app/open-private-store.ts';
import type { DeploymentName } from '../../../server/src/domain/deployment.ts';

/** The first message to the parent process. */
export type StartupResult = { readonly address: string; readonly key: string } | { readonly failed: string };

/**
 * Serves until the parent process exits. Then kills the child command that the parent reported: a pid, or, if negative,
 * a process group.
 */
export async function servePrivately(name: DeploymentName): Promise<void> {
  if (!process.connected) return;
  const parentExit = once(process, 'disconnect');
  // Terminal signals go to the whole group, and are meant for the child command.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let commandPid: number | undefined;
  process.on('message', ({ pid }: { readonly pid?: number }) => {
    commandPid = pid;
  });
  const notify = (result: StartupResult) => process.send?.(result);
  try {
    await using store = await openPrivateStore(name);
    const { address, key } = store;
    notify({ address, key });
    await parentExit;
    if (commandPid !== undefined) kill(commandPid);
  } catch (error) {
    notify({ failed: (error as Error).message });
    // The parent disconnects when it has read the message. Until then, the open channel keeps this process alive.
    await parentExit;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already exited.
  }
}
