import { once } from 'node:events';
import pg from 'pg';
import {
  CONNECT_TIMEOUT_MS,
  clientConfig,
  inTime,
  requirePrimary,
  translated,
} from './postgres-connection.ts';

export function openPool(url: string, settings: pg.PoolConfig, setUp?: string): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    ...settings,
    async onConnect(client) {
      await requirePrimary(client);
      if (setUp !== undefined) await client.query(setUp);
    },
  });
  // The pool replaces a client that was lost; whoever was using it is told by its query.
  pool.on('error', () => {});
  return pool;
}

/** Where the server has no connection left, one of ours that becomes free is waited for. */
export async function takeClient(
  pool: pg.Pool,
  giveUpAt = Date.now() + CONNECT_TIMEOUT_MS,
): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const isWorthWaiting = isOneTooMany(error) && pool.totalCount > 0 && Date.now() < giveUpAt;
    if (!isWorthWaiting) throw translated(error);
  }
  if (pool.idleCount === 0) await released(pool, giveUpAt);
  return takeClient(pool, giveUpAt);
}

function isOneTooMany(error: unknown): boolean {
  return (error as { code?: string }).code === '53300';
}

async function released(pool: pg.Pool, giveUpAt: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(0, giveUpAt - Date.now()));
  await once(pool, 'release', { signal }).catch(() => {});
}

export function closePool(pool: pg.Pool): Promise<void> {
  return inTime(pool.end());
}
