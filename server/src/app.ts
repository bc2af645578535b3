import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Background } from './background/background.ts';
import { eraseClosedStores } from './background/erase-closed-stores.ts';
import { KeyUse } from './background/key-use.ts';
import type { Database } from './database/engine.ts';
import { query } from './database/query.ts';
import type { DeploymentName } from './deployment.ts';
import { type AccountsOptions, openAccounts } from './http/console/accounts.ts';
import { consoleRoutes } from './http/console/routes.ts';
import { servePages } from './http/console/static.ts';
import { ignoreOtherBodies, readBodies } from './http/content/request-body.ts';
import { authenticate } from './http/guards/authenticate.ts';
import { allowCrossOrigin } from './http/guards/cors.ts';
import { announceDeprecation, refuseAfterSunset } from './http/guards/deprecation.ts';
import { limitRate } from './http/guards/rate-limit.ts';
import type { ListCacheOptions } from './http/lists/list-cache.ts';
import type { Exchange } from './http/observe/exchange.ts';
import { isHealthy, isReady } from './http/observe/health.ts';
import { openMetrics } from './http/observe/metrics.ts';
import { requestLog } from './http/observe/request-log.ts';
import { type Servers, serveContract } from './http/openapi/contract.ts';
import { serveDocs } from './http/openapi/docs.ts';
import type { OpenApiDocument } from './http/openapi/openapi.ts';
import { serveOperations, type Version } from './http/openapi/operation.ts';
import { sandboxElsewhere } from './http/sandbox/elsewhere.ts';
import { openSandbox } from './http/sandbox/sandbox.ts';
import { answering, sender } from './http/server/answer.ts';
import { openFramework } from './http/server/framework.ts';
import { v1Document } from './http/v1/document.ts';
import { v1Handlers } from './http/v1/handlers.ts';
import { cursorsFor } from './http/v2/cursor.ts';
import { v2Document } from './http/v2/document.ts';
import { v2Handlers } from './http/v2/handlers.ts';
import { callerFinder } from './keys/find-caller.ts';
import type { Writer } from './writer/writer.ts';

export interface AppOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  /** Seals what clients hold for us; the same on every replica. */
  readonly secret: string;
  readonly log: Logger;
  readonly lists: ListCacheOptions;
  /** The addresses of both deployments, this one's first. */
  readonly servers: Servers;
  /** Requests a key may make in a minute; undefined for no limit. */
  readonly rateLimit?: number | undefined;
  /** Whether other machines may read the metrics. */
  readonly openMetrics?: boolean;
  /** The public address, where it is not the one that is listened on. */
  readonly baseUrl?: string | undefined;
  /** Whether a proxy in front says truthfully where requests come from. */
  readonly trustProxy?: boolean;
  readonly accounts?: Pick<AccountsOptions, 'limits' | 'wrapHasher'>;
  /** Where the built console is, if not where its build leaves it. */
  readonly consoleFolder?: string;
  readonly now?: () => number;
}

/** One deployment's HTTP service, everything in the order in which a request meets it. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { deployment, db, writer, log, servers, baseUrl, secret, now = Date.now } = options;

  const keyUse = new KeyUse(writer);
  const erasing = eraseClosedStores(db, writer, now);
  const background = new Background([keyUse, erasing], (error, job) =>
    log.error({ err: error, job }, 'work in the background failed and will be tried again'),
  );

  const logRequest = requestLog(log);
  const metrics = openMetrics({
    deployment,
    open: options.openMetrics ?? false,
    gauges: { petstore_stores: storeGauge(db) },
  });
  const observe = (exchange: Exchange) => {
    logRequest(exchange);
    metrics.count(exchange);
    if (exchange.caller) keyUse.note(exchange.caller.keyId, now());
  };
  // Production never fails on purpose: there, nothing even asks.
  const sandbox = deployment === 'staging' ? openSandbox({ db, writer, deployment, now }) : undefined;
  const plain = sender(observe);
  const send = sandbox ? sandbox.sender(plain, observe) : plain;

  const app = openFramework(send, log);
  app.addHook('onReady', async () => background.start());
  app.addHook('onClose', () => background.stop());

  app.get('/healthz', answering(isHealthy, send));
  app.get('/readyz', answering(isReady(db), send));
  app.get('/metrics', answering(metrics.show, send));
  serveContract(app, send, servers);
  serveDocs(app, send);

  const guards = [
    ignoreOtherBodies,
    allowCrossOrigin,
    announceDeprecation,
    authenticate(callerFinder(db, deployment, now)),
    ...(options.rateLimit === undefined ? [] : [limitRate(options.rateLimit, now)]),
    ...(sandbox ? [sandbox.prefer] : [sandboxElsewhere.guard]),
    refuseAfterSunset(sandbox?.moment ?? now),
    ...(sandbox ? [sandbox.fail] : []),
  ];
  const changes = sandbox?.writer ?? writer;
  const handling = { db, writer: changes, now: sandbox?.moment ?? now, clock: now };
  const v1 = v1Handlers({ ...handling, lists: options.lists });
  const v2 = {
    ...v2Handlers({ ...handling, cursors: cursorsFor(secret) }),
    ...(sandbox ?? sandboxElsewhere).handlers,
  };
  const version = <D extends OpenApiDocument>(prefix: string, served: Version<D>) =>
    app.register(
      async (scope) => {
        readBodies(scope);
        serveOperations(scope, send, served);
      },
      { prefix },
    );
  version('/v1', { document: v1Document, handlers: v1, guards });
  version('/v2', { document: v2Document, handlers: v2, guards });

  const accounts = openAccounts({
    ...options.accounts,
    db,
    writer: changes,
    deployment,
    secret,
    now,
    eraseClosed: () => background.wake(erasing),
  });
  const { trustProxy, consoleFolder: folder } = options;
  servePages(app, send, { servers, baseUrl, folder });
  app.register(
    async (scope) =>
      consoleRoutes(scope, send, {
        deployment,
        db,
        writer: changes,
        accounts,
        keyUse,
        servers,
        now,
        baseUrl,
        trustProxy,
      }),
    { prefix: '/console/api' },
  );
  return app;
}

const countStores = query((db, _: Record<never, never>) =>
  db.selectFrom('stores').select((eb) => eb.fn.countAll<bigint>().as('count')),
);

function storeGauge(db: Database) {
  return {
    help: 'Stores in the database.',
    read: async () => Number((await db.all(countStores, {}))[0]?.count),
  };
}
