import type { ServerCommand, Told } from '../config/flags.ts';
import { serveConfigFrom } from '../config/serve-config.ts';
import { Unavailable } from '../database/engine.ts';
import { originOf } from './addresses.ts';

/** Longer than a service takes to find out that its database does not answer. */
const PATIENCE_MS = 8_000;

export const ready: ServerCommand<Told> = async (values) => {
  const { deployments, host, ports } = serveConfigFrom(values);
  for (const name of deployments) {
    const url = `${originOf(host, ports[name])}/readyz`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (!answer?.ok)
      throw new Unavailable(`${name} is not ready: ${url} ${answer?.status ?? 'does not answer'}`);
  }
  return { text: deployments.map((name) => `${name} is ready`).join('\n'), json: { ready: deployments } };
};
