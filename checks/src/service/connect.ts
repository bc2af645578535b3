import { NoVerdict } from '../engine/exit-codes.ts';
import { type Client, type ClientOptions, createClient } from './http.ts';

/** The service at a base address. One without `/v1` is also tried as it is, since a proxy may add the version. */
export async function reach(given: string, key: string, options: ClientOptions): Promise<Client> {
  const base = given.replace(/\/+$/, '').replace(/\/v2$/, '/v1');
  const bases = base.endsWith('/v1') ? [base] : [`${base}/v1`, base];
  const clients = bases.map((each) => createClient(each, key, options));
  for (const client of clients) {
    const status = await statusOf(client);
    if (status === 404 && clients.length > 1) continue;
    if (status === 401 || status === 403)
      throw new NoVerdict(
        'key_rejected',
        `the service rejects the key: GET ${client.base.href}/store/orders is ${status}`,
      );
    return client;
  }
  return clients[0] as Client;
}

async function statusOf(client: Client): Promise<number> {
  try {
    return (await client.send({ path: '/store/orders', isUnrecorded: true })).status;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ECONNREFUSED' ? 'connection refused' : message || code || 'no response';
    throw new NoVerdict('unreachable', `cannot reach ${client.base.href}: ${reason}`);
  }
}
