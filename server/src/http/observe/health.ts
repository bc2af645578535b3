import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/engine.ts';
import { query } from '../../database/query.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

/** `/healthz`: the process answers. `/readyz`: it can also reach its database. */
export function serveHealth(app: FastifyInstance, db: Database): void {
  // The console of the other deployment asks too.
  const anyOrigin = { 'access-control-allow-origin': '*' };
  app.get('/healthz', async (_, reply) => reply.headers(anyOrigin).send({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    reply.headers(anyOrigin);
    await db.all(anyStore, {});
    return reply.send({ status: 'ready' });
  });
}
