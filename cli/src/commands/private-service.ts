import { once } from 'node:events';
import type { DeploymentName } from '../../../server/src/deployment.ts';
import { openPrivateStore } from '../../../server/src/open-private-store.ts';

/** The first message to the parent process. */
export type Started = { readonly address: string; readonly key: string } | { readonly failed: string };

/**
 * A service for as long as the process that started it. In the end, what is left of the command that it runs is ended: a
 * process, or, below zero, a group of them.
 */
export async function servePrivately(name: DeploymentName): Promise<void> {
  if (!process.connected) return;
  const isAlone = once(process, 'disconnect');
  // What a terminal sends to everything is for the command.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let command: number | undefined;
  process.on('message', ({ pid }: { readonly pid?: number }) => {
    command = pid;
  });
  const tell = (started: Started) => process.send?.(started);
  try {
    await using store = await openPrivateStore(name);
    const { address, key } = store;
    tell({ address, key });
    await isAlone;
    if (command !== undefined) end(command);
  } catch (error) {
    tell({ failed: (error as Error).message });
    // The parent disconnects in turn. Until then, the open channel keeps this process running.
    await isAlone;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
