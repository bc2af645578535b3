import type { Database } from '../../database/engine.ts';
import { query } from '../../database/query.ts';
import { type Handler, jsonAnswer } from '../server/answer.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

/** The console of the other deployment asks too. */
const anyOrigin = ['access-control-allow-origin', '*'];

/** Says that the process answers. */
export const isHealthy: Handler = () => jsonAnswer({ status: 'ok' }, 200, anyOrigin);

/** Says that it can also reach its database. */
export function isReady(db: Database): Handler {
  return async (request) => {
    request.answerHeaders.push(...anyOrigin);
    await db.all(anyStore, {});
    return jsonAnswer({ status: 'ready' });
  };
}
