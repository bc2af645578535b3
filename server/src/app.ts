import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Background, type Job } from './background/background.ts';
import { eraseClosedStores } from './background/erase-closed-stores.ts';
import { Inspector } from './background/inspector.ts';
import { KeyUse } from './background/key-use.ts';
import { pruneExpired } from './background/prune-expired.ts';
import { RequestCounts } from './background/request-counts.ts';
import { WebhookDeliveries } from './background/webhook-deliveries.ts';
import { type Resolve, WebhookSender } from './background/webhook-sender.ts';
import type { Database } from './database/engine.ts';
import type { DeploymentName } from './deployment.ts';
import { type AccountsOptions, openAccounts } from './http/console/accounts.ts';
import { auditLog } from './http/console/audit-log.ts';
import { consoleRoutes } from './http/console/routes.ts';
import { openPages } from './http/console/static.ts';
import { EventHub } from './http/events/event-hub.ts';
import { authenticate, callerOf } from './http/guards/authenticate.ts';
import { allowCrossOrigin } from './http/guards/cors.ts';
import { announceDeprecation, refuseAfterSunset } from './http/guards/deprecation.ts';
import { limitRate, storeCountedAs } from './http/guards/rate-limit.ts';
import { refuseChangesToReaders } from './http/guards/scope.ts';
import type { ListCacheOptions } from './http/lists/list-cache.ts';
import { serveMcp } from './http/mcp/mcp.ts';
import { isHealthy, isReady, watchWriter } from './http/observe/health.ts';
import { inspectedFrom, requestRow } from './http/observe/inspected.ts';
import { type MetricsOptions, openMetrics } from './http/observe/metrics.ts';
import { observingTogether } from './http/observe/observing-together.ts';
import { requestLog } from './http/observe/request-log.ts';
import { type Servers, serveContract } from './http/openapi/contract.ts';
import { serveDocs } from './http/openapi/docs.ts';
import { serveLlmsText } from './http/openapi/llms.ts';
import type { OpenApiDocument } from './http/openapi/openapi.ts';
import { serveOperations, type Version } from './http/openapi/operation.ts';
import { sandboxElsewhere } from './http/sandbox/elsewhere.ts';
import { openSandbox } from './http/sandbox/sandbox.ts';
import { answering, type Observers, sender as sendAndObserve } from './http/server/answer.ts';
import { openFramework } from './http/server/framework.ts';
import type { Guard } from './http/server/guard.ts';
import type { ConnectionOptions } from './http/server/http-server.ts';
import { ignoreOtherBodies, readBodies } from './http/server/request-body.ts';
import { inShares } from './http/server/shares.ts';
import { v1Document } from './http/v1/document.ts';
import { v1Handlers } from './http/v1/handlers.ts';
import { cursorsFor } from './http/v2/cursor.ts';
import { v2Document } from './http/v2/document.ts';
import { v2Handlers } from './http/v2/handlers.ts';
import type { StreamLimits } from './http/v2/handling.ts';
import { writeEvent } from './http/v2/write.ts';
import { callerFinder, findRefusedKey } from './keys/find-caller.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from './quotas.ts';
import { countStores } from './stores/count-stores.ts';
import type { Writer } from './writer/writer.ts';

export interface AppOptions {
  readonly deployment: DeploymentName;
  readonly db: Database;
  readonly writer: Writer;
  /** Seals what clients hold for us; the same on every replica. */
  readonly secret: string;
  readonly log: Logger;
  /** How many lines of the log could not be written so far. */
  readonly droppedLines?: () => number;
  readonly lists: ListCacheOptions;
  /** The addresses of both deployments, this one's first. */
  readonly servers: Servers;
  /** Requests a store may make in a minute; undefined for no limit. */
  readonly rateLimit?: number | undefined;
  /** What differs from the defaults; unless it is given here, any number of stores may be opened. */
  readonly quotas?: Partial<Quotas> | undefined;
  /** Whether other machines may read the metrics. */
  readonly openMetrics?: boolean;
  /** Makes the text of all workers' metrics, where there are several. */
  readonly sharedMetrics?: MetricsOptions['shared'];
  /** The public address, where it is not the one that is listened on. */
  readonly baseUrl?: string | undefined;
  /** Whether a proxy in front says truthfully where requests come from. */
  readonly trustProxy?: boolean;
  readonly accounts?: Pick<AccountsOptions, 'limits' | 'wrapHasher'>;
  readonly connections?: ConnectionOptions;
  /** Where the built console is, if not where its build leaves it. */
  readonly consoleFolder?: string;
  readonly streams?: Partial<StreamLimits>;
  readonly webhooks?: {
    /** Whether events may also be sent to addresses that are not public. */
    readonly allowPrivate?: boolean;
    readonly resolve?: Resolve;
    readonly rest?: number;
  };
  /** Whether the last requests of each store are kept for its owner; written down that often. */
  readonly inspector?: boolean | { readonly rest: number };
  /** Further work in the background, such as where the data is asks for. */
  readonly jobs?: readonly Job[];
  readonly now?: () => number;
}

const usualStreams: StreamLimits = { heartbeat: 10_000, mostOfStore: 100, most: 10_000, poll: 1_000 };

/** One deployment's HTTP service, everything in the order in which a request meets it. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { deployment, db, log, servers, baseUrl, secret, now = Date.now } = options;
  const writer = watchWriter(options.writer);

  const streams = { ...usualStreams, ...options.streams };
  const quotas = { ...defaultQuotas, newStores: NO_QUOTA, ...options.quotas };

  const keyUse = new KeyUse(writer);
  const erasing = eraseClosedStores(db, writer, now);
  const { allowPrivate = false, resolve, rest } = options.webhooks ?? {};
  const sender = new WebhookSender({ allowPrivate, now, resolve });
  const deliveries = new WebhookDeliveries({ db, writer, sender, write: writeEvent, now, rest });
  const counts =
    options.rateLimit === undefined
      ? undefined
      : new RequestCounts({ writer, perMinute: options.rateLimit, seal: sealWith(secret), now });
  const { inspector: inspecting = true } = options;
  const inspector = inspecting
    ? new Inspector({
        db,
        writer,
        now,
        rest: inspecting === true ? undefined : inspecting.rest,
        rowOf: requestRow,
      })
    : undefined;
  const jobs: Job[] = [keyUse, erasing, deliveries, pruneExpired(db, writer, now, quotas.idempotencyKeys)];
  if (counts) jobs.push(counts);
  if (inspector) jobs.push(inspector);
  jobs.push(...(options.jobs ?? []));
  const background = new Background(jobs, (error, job) =>
    log.error({ err: error, job }, 'work in the background failed and will be tried again'),
  );
  deliveries.wake = () => background.wakeSoon(deliveries);
  const ignoreCommits = writer.onCommit(({ storeId }) => {
    if (deliveries.isAbout(storeId)) deliveries.wake();
  });

  const logRequest = requestLog(log);
  const metrics = openMetrics({
    deployment,
    open: options.openMetrics ?? false,
    shared: options.sharedMetrics,
    gauges: {
      petstore_stores: { help: 'Stores in the database.', read: () => countStores(db), aggregator: 'max' },
      petstore_log_lines_dropped: {
        help: 'Lines of the log that could not be written.',
        read: options.droppedLines ?? (() => 0),
      },
    },
  });
  const observers: Observers = {
    finished: observingTogether([
      logRequest,
      metrics.count,
      (exchange) => {
        const inspected = inspector && inspectedFrom(exchange, now());
        if (inspected) inspector.note(inspected);
      },
      ({ caller }) => {
        if (caller) keyUse.note(caller.keyId, now());
      },
    ]),
    cutOff: ({ id }, error) => log.error({ id, err: error }, 'an answer was cut off'),
  };
  // Production never fails on purpose: there, nothing even asks.
  const sandbox = deployment === 'staging' ? openSandbox({ db, writer, deployment, now }) : undefined;
  const plain = sendAndObserve(observers);
  const send = sandbox ? sandbox.sender(plain, observers.finished) : plain;

  const pages = openPages({ servers, baseUrl, folder: options.consoleFolder });
  const app = openFramework(send, log, pages.missing, options.connections);
  app.addHook('onReady', async () => background.start());
  app.addHook('onClose', async () => {
    ignoreCommits();
    await background.stop();
  });

  app.get('/healthz', answering(isHealthy, send));
  app.get('/readyz', answering(isReady(db, writer), send));
  app.get('/metrics', answering(metrics.show, send));
  serveContract(app, send, servers);
  serveDocs(app, send, { servers, baseUrl });
  serveLlmsText(app, send, servers);

  const guardsWith = (...scope: readonly Guard[]): Guard[] => [
    ignoreOtherBodies,
    allowCrossOrigin,
    announceDeprecation,
    authenticate(
      callerFinder(db, deployment, now),
      inspector && ((key) => findRefusedKey(db, deployment, key)),
    ),
    ...(counts ? [limitRate(counts, (request) => storeCountedAs(callerOf(request).storeId))] : []),
    ...scope,
    ...(sandbox ? [sandbox.prefer] : [sandboxElsewhere.guard]),
    refuseAfterSunset(sandbox?.moment ?? now),
    ...(sandbox ? [sandbox.fail] : []),
  ];
  const guards = guardsWith(refuseChangesToReaders);
  const changes = inShares(sandbox?.writer ?? writer);
  const handling = { db, writer: changes, now: sandbox?.moment ?? now, clock: now };
  const v1 = v1Handlers({ ...handling, lists: options.lists });
  const v2 = {
    ...v2Handlers({
      ...handling,
      cursors: cursorsFor(secret),
      quotas,
      summaryMemory: options.lists.budget / 4,
      hub: new EventHub({ db, writer, write: writeEvent, poll: streams.poll }),
      streams,
      webhooks: { allowPrivate, jobs: deliveries },
      onStop: (stop) => app.addHook('preClose', async () => stop()),
    }),
    ...(sandbox ?? sandboxElsewhere).handlers,
  };
  const serveVersion = <D extends OpenApiDocument>(prefix: string, served: Version<D>) =>
    app.register(
      async (scope) => {
        readBodies(scope);
        serveOperations(scope, send, served);
      },
      { prefix },
    );
  serveVersion('/v1', { document: v1Document, handlers: v1, guards });
  serveVersion('/v2', { document: v2Document, handlers: v2, guards });
  // Calling a tool is a POST, whatever it does: each tool asks for the scope that it needs.
  serveMcp(app, send, { handlers: v2, guards: guardsWith(), log });

  const tell = auditLog(log);
  const accounts = openAccounts({
    ...options.accounts,
    db,
    writer: changes,
    deployment,
    secret,
    now,
    tell,
    newStores: quotas.newStores,
    eraseClosed: () => background.wake(erasing),
  });
  const { trustProxy } = options;
  pages.serve(app, send);
  app.register(
    async (scope) =>
      consoleRoutes(scope, send, {
        deployment,
        db,
        writer: changes,
        accounts,
        keyUse,
        quotas,
        counts,
        tell,
        servers,
        now,
        baseUrl,
        trustProxy,
      }),
    { prefix: '/console/api' },
  );
  return app;
}

/** What the database keeps of whom is counted says nothing to whoever reads it. */
function sealWith(secret: string) {
  return (who: string) => createHmac('sha256', secret).update(who).digest('base64url');
}
