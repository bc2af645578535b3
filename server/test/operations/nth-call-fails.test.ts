import { join as joinPath } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { agentRoutes, consoleRoutes, documentedRoutes, openRoutes } from '../../../fuzz/src/walk/routes.ts';
import { identityOf } from '../../src/database/database-files.ts';
import { FILE_CHECK_INTERVAL_MS, SqliteConnection } from '../../src/database/sqlite.ts';
import { type DeploymentName, deploymentNames } from '../../src/domain/deployment.ts';
import { type GroupRunner, runGroup } from '../../src/writer/group.ts';
import { openSqliteWriter } from '../../src/writer/sqlite-writer.ts';
import { openWriter, type Writer } from '../../src/writer/writer.ts';
import { fastAccounts } from '../accounts/browser.ts';
import { useOwnPostgres } from '../postgres/support/own-postgres.ts';
import { everyCall } from '../support/effort.ts';
import { type Engine, postgres, sqlite, type TestDatabase } from '../support/engines.ts';
import {
  type FailingCalls,
  type FailureMode,
  patchFiles,
  patchPostgres,
  patchSqlite,
  ThreadCalls,
} from '../support/failing-calls.ts';
import { HangingCalls } from '../support/hanging-calls.ts';
import { startService, type TestService } from '../support/service.ts';
import { apiOperations, otherOperations, sandboxOperations } from './api-operations.ts';
import { consoleOperations } from './console-operations.ts';
import type { Operation } from './operation.ts';

/** Every operation where it is served. */
const operations: Readonly<Record<DeploymentName, readonly Operation[]>> = {
  production: [...apiOperations, ...otherOperations, ...consoleOperations],
  staging: sandboxOperations,
};

/** Every call of every operation fails once. */
interface WriteProbe {
  readonly what: string;
  readonly way: FailureMode;
  readonly engine: () => Engine;
  readonly open: () => FailingCalls;
  readonly mayMakeNone: (route: string) => boolean;
  /** Every one of them, unless given. */
  readonly routes?: readonly string[] | undefined;
  /** One operation of each route, instead of each. */
  readonly oncePerRoute?: boolean;
}

const here = (patch: ConstructorParameters<typeof ThreadCalls>[0]) => ({
  open: () => new ThreadCalls(patch),
  mayMakeNone: (route: string) => route === 'GET /healthz' || route === 'GET /metrics',
});
const routesOf = (ofDeployment: readonly Operation[]) => [...new Set(ofDeployment.map(({ route }) => route))];
const isRead = (route: string) => /^(GET|QUERY) /.test(route);
/** One route in 24 of each deployment. */
const sampled = (isTried = (_: string) => true) =>
  Object.values(operations).flatMap((some) =>
    routesOf(some)
      .filter(isTried)
      .filter((_, i) => i % 24 === 0),
  );
/** This key's store cannot be ended, and the account has its first key. */
const withoutEffect = ['DELETE /v2/sandbox/stores/current', 'POST /console/api/session'];
const writesNothing = (route: string) => isRead(route) || withoutEffect.includes(route);
/** The fast tier takes a sample; only `/readyz` checks files its own way. */
const someRoutes = everyCall ? undefined : [...sampled(), 'GET /readyz'];
/** A read that is cut off after it ran is a failed read. Changes are sampled. */
const changing = everyCall ? undefined : sampled((route) => !isRead(route));
const oncePerRoute = !everyCall;
const toSqlite = { what: 'to SQLite', engine: () => sqlite, ...here(patchSqlite) };
const toFile = { what: 'to a file', engine: () => sqlite, ...here(patchFiles) };
const toPostgres = { what: 'to PostgreSQL', engine: () => postgres, ...here(patchPostgres) };
/** Calls of the main thread cannot hang: then nothing is served. */
const ofThread = {
  what: 'of the thread that writes to SQLite',
  engine: () => sqlite,
  open: () => new HangingCalls(),
  mayMakeNone: writesNothing,
  routes: everyCall ? undefined : ['DELETE /v1/store/orders/{orderId}', 'POST /v2/sandbox/reset'],
};

describe.each<WriteProbe>([
  { ...toSqlite, way: 'fails before it runs', routes: someRoutes },
  { ...toSqlite, way: 'is cut off after it ran', routes: changing, oncePerRoute },
  { ...toFile, way: 'fails before it runs', routes: someRoutes, oncePerRoute },
  { ...ofThread, way: 'hangs before it runs', oncePerRoute },
  { ...ofThread, way: 'hangs after it ran', oncePerRoute },
])('when the Nth call $what $way', tryAll);

it('every route is covered; pages and documents work again once files are readable', async () => {
  await using service = await startService(sqlite);
  const fixed = openRoutes.filter(({ group }) => group === 'pages' || group === 'documents');
  const watched = openRoutes.filter((route) => !fixed.includes(route));
  const routes = [...(await documentedRoutes(service.origin)), ...agentRoutes, ...consoleRoutes, ...watched];
  const tried = deploymentNames.flatMap((name) => operations[name].map(({ route }) => route));
  expect(new Set(tried)).toEqual(new Set(routes.map(({ method, template }) => `${method} ${template}`)));

  // Most of them are in memory; the others are read on first use.
  const look = async () => {
    const responses = fixed.map(({ template }) => fetch(service.origin + template, { redirect: 'manual' }));
    return (await Promise.all(responses)).map(({ status }) => status).filter((status) => status >= 400);
  };
  const failing = { next: () => 'fails before it runs' as const };
  const undo = [patchSqlite(failing), patchFiles(failing)];
  try {
    expect(new Set(await look()).isSubsetOf(new Set([500]))).toBe(true);
  } finally {
    for (const restore of undo) restore();
  }
  expect(await look()).toEqual([]);
});

describe.runIf(everyCall)('every operation on PostgreSQL', () => {
  const own = useOwnPostgres();
  const impatient = () => own().impatientEngine;
  describe.each<WriteProbe>([
    { ...toPostgres, way: 'fails before it runs' },
    { ...toPostgres, way: 'is cut off after it ran' },
    { ...toPostgres, engine: impatient, way: 'gets no response' },
  ])('when the Nth call $what $way', tryAll);
});

/** As the thread does it, but on the thread whose calls fail. */
function writerHere(path: string): Writer {
  let connection: SqliteConnection | undefined;
  const groups: GroupRunner = {
    async run(commands) {
      connection ??= new SqliteConnection(path, 'write', identityOf(path));
      const open = connection;
      return runGroup((work) => work(open), commands);
    },
    async close() {
      connection?.close();
    },
  };
  return openWriter(groups, () => path);
}

function tryAll(probe: WriteProbe): void {
  describe.each(deploymentNames)('on %s', (deployment) => tryOn(deployment, probe));
}

function tryOn(
  deployment: DeploymentName,
  { way, engine, open: openCalls, routes, oncePerRoute, mayMakeNone }: WriteProbe,
): void {
  let database: TestDatabase;
  let service: TestService;
  let writer: Writer | undefined;
  let calls: FailingCalls;
  let skippedMs = 0;
  beforeAll(async () => {
    const elapsed = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + skippedMs);
    database = await engine().create(deployment);
    calls = openCalls();
    // Once, so that the file is there; SQLite is then written to where calls can fail.
    await (await startService(engine(), { deployment, database }))[Symbol.asyncDispose]();
    if (database.engine === 'sqlite') {
      const path = joinPath(database.location.data, `${deployment}.db`);
      writer =
        calls instanceof HangingCalls
          ? openSqliteWriter(path, identityOf(path), undefined, calls.watch)
          : writerHere(path);
    }
    service = await startService(engine(), {
      deployment,
      database,
      ...(writer && { writer }),
      accounts: fastAccounts,
      inspector: false,
      now: () => Date.parse('2026-11-15T12:00:00Z'),
    });
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    calls[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
    await writer?.close();
    await database[Symbol.asyncDispose]();
  });

  const tried = operations[deployment]
    .filter(({ route }) => routes?.includes(route) ?? true)
    .filter(({ route }, i, all) => !oncePerRoute || all.findIndex((other) => other.route === route) === i);

  it.each(tried)(
    '$name ($status) is 5xx or correct, and done completely or not at all',
    async ({ route, status, open }) => {
      const reference = await open(service);
      const before = await reference.state();
      expect((await reference.sendRequest()).status).toBe(status);
      const after = await reference.state();
      let [reached, failures] = [0, 0];
      for (let n = 1, isReached = true; isReached; n++) {
        const { sendRequest, state, next } = await open(service);
        // Readers look at their file from time to time: here, every time.
        skippedMs += 2 * FILE_CHECK_INTERVAL_MS;
        calls.arm(n, way);
        const response = await sendRequest();
        isReached = calls.calls >= n;
        if (isReached) reached = n;
        calls.arm(0);
        // By itself it is as ever, once what hung is done.
        while ((await service.request('GET /readyz')).status !== 200) await pause(5);
        if (response.status === status) expect([n, await state()]).toEqual([n, after]);
        else {
          failures++;
          const { code } = response.json<{ code: string }>();
          expect([n, response.status]).toEqual([n, code === 'unavailable' ? 503 : 500]);
          expect([before, after]).toContainEqual(await state());
        }
        // After any failure, the next request succeeds.
        await next();
      }
      // For a read, a background job may have made the one call that failed.
      if (!mayMakeNone(route)) expect(writesNothing(route) ? reached : failures).toBeGreaterThan(0);
    },
  );
}
