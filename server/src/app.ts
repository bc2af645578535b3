import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
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
import { readBodies } from './http/content/request-body.ts';
import { ApiError, describeError, errorBody } from './http/errors.ts';
import { expressLane } from './http/express-lane.ts';
import { authenticate, lookedUp } from './http/guards/authenticate.ts';
import { allowCrossOrigin } from './http/guards/cors.ts';
import { announceDeprecation, refuseAfterSunset } from './http/guards/deprecation.ts';
import { limitRate } from './http/guards/rate-limit.ts';
import { requestId } from './http/guards/request-id.ts';
import type { ListCacheOptions } from './http/lists/list-cache.ts';
import { Durations } from './http/observe/durations.ts';
import type { Exchange } from './http/observe/exchange.ts';
import { serveHealth } from './http/observe/health.ts';
import { serveMetrics } from './http/observe/metrics.ts';
import { loggedPath, requestLog } from './http/observe/request-log.ts';
import { together } from './http/observe/together.ts';
import { serveContract } from './http/openapi/contract.ts';
import { serveDocs } from './http/openapi/docs.ts';
import { httpServer } from './http/server/http-server.ts';
import {
  answerClientError,
  answerRawErrors,
  MAX_HEADER_BYTES,
  MAX_URL_LENGTH,
} from './http/server/raw-errors.ts';
import { v1Lists, v1Routes } from './http/v1/routes.ts';
import { cursorsFor } from './http/v2/cursor.ts';
import { v2Routes } from './http/v2/routes.ts';
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
  readonly servers: () => ReadonlyArray<{ name: string; origin: string }>;
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
  const { deployment, db, writer, log, rateLimit, now = Date.now } = options;
  const find = callerFinder(db, deployment, now);
  const lists = v1Lists(db, options.lists);
  const keyUse = new KeyUse(writer);
  const erasing = eraseClosedStores(db, writer);
  const background = new Background([keyUse, erasing], (error, job) =>
    log.error({ err: error, job }, 'work in the background failed and will be tried again'),
  );
  const writeLines = requestLog(log);
  const durations = new Durations(deployment);
  const finish = together((exchanges: readonly Exchange[]) => {
    writeLines(exchanges);
    for (const exchange of exchanges) {
      durations.count(exchange);
      if (exchange.caller) keyUse.note(exchange.caller.keyId, now());
    }
  });
  let closing = false;

  const app = Fastify({
    logger: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    serverFactory: (longRoad) => {
      if (rateLimit !== undefined) return httpServer(longRoad);
      const shortRoad = expressLane({ find, lists: lists.orders, finish }, longRoad);
      return httpServer((request, response) => (closing ? longRoad : shortRoad)(request, response));
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, log),
    rewriteUrl: (request) => literalIfMalformed(request.url ?? '/'),
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });

  answerRawErrors(app.server, log);

  app.decorateRequest('caller', null);
  app.decorateRequest('operation');
  app.addHook('onResponse', (request, reply, done) => {
    finish({
      id: request.id,
      caller: request.caller,
      method: request.method,
      path: loggedPath(request.originalUrl),
      operation: request.operation.operationId ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
    });
    done();
  });
  serveMetrics(app, {
    deployment,
    open: options.openMetrics ?? false,
    durations,
    gauges: { petstore_stores: storeGauge(db) },
  });
  app.addHook('onRequest', (request, reply, done) => {
    request.operation = request.routeOptions.config ?? {};
    reply.header('x-request-id', request.id);
    if (closing) reply.header('connection', 'close');
    // One that was looked up on the short road came before the service was told to stop.
    done(refusal(request, closing && !lookedUp.has(request.raw)));
  });
  app.addHook('preClose', async () => {
    closing = true;
  });

  app.setErrorHandler((error, request, reply) => {
    // Whatever the framework dislikes about a request for nothing, what it asks for is not there.
    const isNothing = request.is404 && String((error as { code?: string }).code).startsWith('FST_');
    const body = isNothing ? errorBody('not_found') : describeError(error);
    if (body.status >= 500) log.error({ id: request.id, err: error }, body.code);
    if (body.status === 503) reply.header('retry-after', '1');
    return reply
      .code(body.status)
      .header('content-type', 'application/json')
      .send(Buffer.from(JSON.stringify(body)));
  });
  const notFound = async () => {
    throw new ApiError('not_found');
  };
  app.setNotFoundHandler(notFound);

  app.addHook('onReady', async () => background.start());
  app.addHook('onClose', () => background.stop());

  serveHealth(app, db);
  serveContract(app, options.servers);
  serveDocs(app);

  const version = (prefix: string, routes: (scope: FastifyInstance) => void) =>
    app.register(
      async (scope) => {
        readBodies(scope);
        allowCrossOrigin(scope);
        announceDeprecation(scope);
        authenticate(scope, find);
        if (rateLimit !== undefined) limitRate(scope, rateLimit, now);
        refuseAfterSunset(scope, now);
        routes(scope);
        scope.setNotFoundHandler(notFound);
      },
      { prefix },
    );
  version('/v1', (scope) => v1Routes(scope, { db, writer, now, lists }));
  version('/v2', (scope) => v2Routes(scope, { db, writer, now, cursors: cursorsFor(options.secret) }));

  const { baseUrl, trustProxy, servers, secret } = options;
  const accounts = openAccounts({
    ...options.accounts,
    db,
    writer,
    deployment,
    secret,
    now,
    eraseClosed: () => background.wake(erasing),
  });
  servePages(app, { servers, baseUrl, folder: options.consoleFolder, onOpen: () => void accounts.warmUp() });
  app.register(
    async (scope) =>
      consoleRoutes(scope, {
        deployment,
        db,
        writer,
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

/** A path whose escapes are broken names nothing; taken literally, it is simply not found. */
function literalIfMalformed(url: string): string {
  const [path = '', ...query] = url.split('?');
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** What is wrong with a request before anyone asks what it wants. */
function refusal({ headers, raw, originalUrl }: FastifyRequest, closing: boolean): ApiError | undefined {
  if (closing) return new ApiError('unavailable', 'The service is shutting down. Try again shortly.');
  if (originalUrl.length > MAX_URL_LENGTH) return new ApiError('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new ApiError('bad_request', 'An HTTP/1.1 request needs a Host header.');
  }
  return undefined;
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
