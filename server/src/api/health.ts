import { type Database, Unavailable, UnreadableDatabase } from '../database/engine.ts';
import { type Connection, query } from '../database/query.ts';
import { DomainError } from '../domain/domain-error.ts';
import { ApiError } from '../http/errors.ts';
import { type Handler, jsonResponse } from '../http/server/request.ts';
import { probeWrite } from '../writer/probe-write.ts';
import type { Writer } from '../writer/writer.ts';

const anyStore = query((db, _: Record<never, never>) => db.selectFrom('stores').select('id').limit(1));

const anyOrigin = ['access-control-allow-origin', '*'];

export const respondHealthy: Handler = () => jsonResponse({ status: 'ok' }, 200, anyOrigin);

/**
 * Ready if the database is readable and writable. At the start and after a failed change, a write probe tests it; after a
 * read that found the database unreadable, that read is repeated until it succeeds.
 */
export function watchHealth(plainDb: Database, plainWriter: Writer, isShuttingDown: () => boolean) {
  let needsProbe = true;
  let failedRead: (() => Promise<unknown>) | undefined;
  /** Shared by concurrent callers. */
  let probe: Promise<void> | undefined;

  const testWrite = async () => {
    // A change that fails meanwhile triggers another probe.
    needsProbe = false;
    try {
      await plainWriter.apply(probeWrite, {});
    } catch (error) {
      needsProbe = true;
      throw new Unavailable('the database cannot be written', { cause: error });
    }
  };

  const runProbe = async () => {
    // Write first: that makes SQLite refresh its page cache.
    if (needsProbe) await testWrite();
    const repeated = failedRead;
    await repeated?.();
    if (failedRead === repeated) failedRead = undefined;
  };

  const watchReads = <C extends Connection>(connection: C): C => ({
    ...connection,
    all(query, params) {
      const rows = connection.all(query, params);
      rows.catch((error: unknown) => {
        if (!(error instanceof UnreadableDatabase)) return;
        failedRead = () => plainDb.all(query, params);
        needsProbe = true;
      });
      return rows;
    },
  });
  const db: Database = {
    ...watchReads(plainDb),
    snapshot: async () => watchReads(await plainDb.snapshot()),
  };

  const writer: Writer = {
    ...plainWriter,
    apply(verb, args) {
      const applied = plainWriter.apply(verb, args);
      applied.catch((error: unknown) => {
        needsProbe ||= !(error instanceof DomainError);
      });
      return applied;
    },
  };

  const respondReadiness: Handler = async (request) => {
    request.responseHeaders.push(...anyOrigin);
    if (isShuttingDown()) throw new ApiError('unavailable', 'This process is shutting down.');
    await plainDb.all(anyStore, {});
    if (needsProbe || failedRead)
      probe ??= runProbe().finally(() => {
        probe = undefined;
      });
    await probe;
    return jsonResponse({ status: 'ready' });
  };

  return { db, writer, respondReadiness };
}
