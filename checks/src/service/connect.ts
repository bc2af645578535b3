import { type Client, createClient } from './http.ts';
import { Mismatch } from './mismatch.ts';

export class Unreachable extends Error {}

/** The service at an address. One without `/v1` may be that of a proxy that adds it, and is then taken as it is. */
export async function reach(base: string, key: string): Promise<Client> {
  const isWhole = base.endsWith('/v1');
  const client = createClient(isWhole ? base : `${base}/v1`, key);
  try {
    const { status } = await client.send({ path: '/pets' });
    return status === 404 && !isWhole ? createClient(base, key) : client;
  } catch (error) {
    if (error instanceof Mismatch) return isWhole ? client : createClient(base, key);
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ECONNREFUSED' ? 'connection refused' : message || code || 'no answer';
    throw new Unreachable(`cannot reach ${base}: ${reason}`);
  }
}
