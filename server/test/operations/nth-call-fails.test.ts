import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markOf } from '../../src/database/named-file.ts';
import { openSqliteWriter } from '../../src/writer/sqlite-writer.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { quickly } from '../accounts/browser.ts';
import { useOwnPostgres } from '../postgres/support/own-postgres.ts';
import { NTH_CALL } from '../support/effort.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../support/engines.ts';
import { FailingCalls, fileCalls, postgresCalls, sqliteCalls, type Way } from '../support/failing-calls.ts';
import { startService, type TestService } from '../support/service.ts';
import { apiOperations, consoleOperations, type Operation } from './operations.ts';

/** What fails in turn: every call, for every operation. */
interface Trial {
  readonly what: string;
  readonly way: Way;
  readonly engine: () => Engine;
  readonly calls: (calls: FailingCalls) => () => void;
}

const always: Trial[] = [
  { what: 'to SQLite', way: 'fails without being made', engine: () => sqlite, calls: sqliteCalls },
  { what: 'to SQLite', way: 'is cut off after it was made', engine: () => sqlite, calls: sqliteCalls },
  { what: 'to a file', way: 'fails without being made', engine: () => sqlite, calls: fileCalls },
];

describe.each(always)('when the Nth call $what $way', tryAll);

describe.runIf(NTH_CALL === 'all')('every operation on PostgreSQL', () => {
  const own = useOwnPostgres();
  const impatient = () => own().impatientEngine;
  describe.each<Trial>([
    { what: 'to PostgreSQL', way: 'fails without being made', engine: () => postgres, calls: postgresCalls },
    {
      what: 'to PostgreSQL',
      way: 'is cut off after it was made',
      engine: () => postgres,
      calls: postgresCalls,
    },
    { what: 'to PostgreSQL', way: 'is never answered', engine: impatient, calls: postgresCalls },
  ])('when the Nth call $what $way', tryAll);
});

function tryAll({ way, engine, calls: patch }: Trial): void {
  let database: TestDatabase;
  let service: TestService;
  let writer: Writer | undefined;
  let calls: FailingCalls;
  beforeAll(async () => {
    database = await engine().create();
    // Once, so that the file is there; SQLite is then written to in this thread, where calls can fail.
    await (await startService(engine(), { beside: database }))[Symbol.asyncDispose]();
    if (database.engine === 'sqlite') {
      const path = joinPath(database.location.data, 'production.db');
      writer = openSqliteWriter(path, markOf(path));
    }
    service = await startService(engine(), {
      beside: database,
      ...(writer && { writer }),
      accounts: quickly,
      inspector: false,
      now: () => Date.parse('2026-11-15T12:00:00Z'),
    });
    calls = new FailingCalls(patch);
  });
  afterAll(async () => {
    calls[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
    await writer?.close();
    await database[Symbol.asyncDispose]();
  });

  it.each<Operation>([...apiOperations, ...consoleOperations])(
    '$name ($status) is answered by a 5xx Error or rightly, and done whole or not at all',
    async ({ status, open }) => {
      const reference = await open(service);
      const before = await reference.state();
      expect((await reference.ask()).status).toBe(status);
      const after = await reference.state();
      for (let n = 1, isReached = true; isReached; n++) {
        const { ask, state, next } = await open(service);
        calls.arm(n, way);
        const answer = await ask();
        isReached = calls.calls >= n;
        calls.arm(0);
        if (answer.status === status) expect([n, await state()]).toEqual([n, after]);
        else {
          const { code } = answer.json<{ code: string }>();
          expect([n, answer.status]).toEqual([n, code === 'unavailable' ? 503 : 500]);
          expect([before, after]).toContainEqual(await state());
        }
        // Whatever it was, the next request finds everything in order.
        await next();
      }
    },
  );
}
