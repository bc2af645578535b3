import type { CommandResult, ServerCommand } from '../config/flags.ts';
import { serveConfigFrom } from '../config/serve-config.ts';
import { Unavailable } from '../database/engine.ts';
import { originOf } from './addresses.ts';

/** Longer than a service takes to find out that its database does not respond. */
const TIMEOUT_MS = 10_000;

export const ready: ServerCommand<CommandResult> = async (values) => {
  const { deployments, host, ports } = serveConfigFrom(values);
  for (const name of deployments) {
    const url = `${originOf(host, ports[name])}/readyz`;
    const problem = await findProblem(url);
    if (problem !== undefined) throw new Unavailable(`${name} is not ready: ${url} ${problem}`);
  }
  return { text: deployments.map((name) => `${name} is ready`).join('\n'), json: { ready: deployments } };
};

async function findProblem(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok ? undefined : String(response.status);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    if (name === 'TimeoutError') return `has not responded within ${TIMEOUT_MS / 1_000} s`;
    return `cannot be reached (${cause?.code ?? name})`;
  }
}
