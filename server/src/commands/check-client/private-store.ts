import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../../app.ts';
import { newKey } from '../../keys/create-key.ts';
import { openDeployment } from '../../open-deployment.ts';

/** A request that arrived, and how it was answered. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** When its answer was handed over, in milliseconds since 1970, and how long it took. */
  readonly time: number;
  readonly ms: number;
}

/** A staging deployment of its own, with one store, of which every request is noted. */
export interface PrivateStore extends AsyncDisposable {
  readonly address: string;
  readonly key: string;
  readonly arrivals: Arrival[];
  /** Calls an operation, as its owner: `POST /v2/sandbox/reset`. */
  call(request: string, body?: unknown): Promise<string>;
}

export async function openPrivateStore(): Promise<PrivateStore> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-check-'));
  const location = {
    deployments: ['staging'],
    data: folder,
    database: undefined,
    acceptUnsafe: false,
  } as const;
  const { db, writer, secret, ...deployment } = await openDeployment('staging', location, {
    forService: true,
  });
  const { key, details } = newKey('staging', 'check-client');
  await writer.apply('openStore', { owner: null, key: details, at: BigInt(Date.now()) });
  const arrivals: Arrival[] = [];
  const note = (line: string) => {
    const { method, path, status, time, ms } = JSON.parse(line) as Arrival;
    if (status !== undefined && !path.startsWith('/v2/sandbox/'))
      arrivals.push({ method, path, status, time, ms });
  };
  const app = buildApp({
    deployment: 'staging',
    db,
    writer,
    secret,
    log: pino({ base: null }, { write: note }),
    lists: { segmentSize: 512, budget: 256 * 1024 * 1024 },
    servers: () => [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    address,
    key,
    arrivals,
    async call(request, body) {
      const [method = 'GET', path] = request.split(' ');
      const answer = await fetch(address + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${request} answered ${answer.status} ${text}`);
      return text;
    },
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
      await deployment[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
