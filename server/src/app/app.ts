import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ConsoleOptions } from '../accounts/console-context.ts';
import { serveConsoleApi } from '../accounts/console-routes.ts';
import { serveApiCatalog } from '../api/api-catalog.ts';
import { documents, serveContract } from '../api/contract.ts';
import { respondHealthy, watchHealth } from '../api/health.ts';
import { serveLlmsText } from '../api/llms.ts';
import { createPages } from '../api/pages.ts';
import { hintForV2, v2Document, v2Operations, v2Paths } from '../api/v2-document.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { keyMatcher } from '../domain/key-format.ts';
import { defaultQuotas, NO_QUOTA, type Quotas } from '../domain/quotas.ts';
import { openEventHub } from '../events/event-hub.ts';
import { defaultStreamLimits, type StreamLimits } from '../events/event-stream.ts';
import { createResponseCache } from '../http/content/response-cache.ts';
import { createAdmission } from '../http/guards/admission.ts';
import { callerOf, rejectChangesByReadOnlyKeys } from '../http/guards/caller.ts';
import { allowCrossOrigin } from '../http/guards/cors.ts';
import { announceDeprecation, rejectAfterSunset } from '../http/guards/deprecation.ts';
import { createMetrics, type MetricsOptions } from '../http/observe/metrics.ts';
import { requestLog } from '../http/observe/request-log.ts';
import { serveVersion } from '../http/operations/serve-version.ts';
import { pageResponses } from '../http/pages/page-response.ts';
import { cursorsFor } from '../http/pages/paging.ts';
import type { Servers } from '../http/server/addresses.ts';
import { basePathOf } from '../http/server/base-path.ts';
import { requestHandler } from '../http/server/handle-request.ts';
import { type ConnectionOptions, createHttpServer } from '../http/server/http-server.ts';
import type { Exchange, Guard, Request } from '../http/server/request.ts';
import { Routes } from '../http/server/routes.ts';
import { authenticate } from '../keys/authenticate.ts';
import { serveMcp } from '../mcp/mcp.ts';
import { limitRate, perMinute, tenantSubject } from '../rate-limiting/limit-requests.ts';
import { documentedErrors } from '../sandbox/documented-errors.ts';
import { storeFiller } from '../sandbox/fill-store.ts';
import { createSandbox } from '../sandbox/sandbox-feature.ts';
import { type ListOptions, listCache } from '../v1/list-cache.ts';
import { listResponses } from '../v1/list-response.ts';
import { v1Operations } from '../v1/operations.ts';
import type { Writer } from '../writer/writer.ts';
import { createJobs, type JobOptions } from './jobs.ts';
import { appMeasures } from './metrics.ts';

/** Connections that wait to be accepted; Linux caps it at net.core.somaxconn. Beyond it, clients retry after 1, 3 and 7 seconds. */
const BACKLOG = 4_096;

export interface AppOptions extends JobOptions {
  readonly deployment: DeploymentName;
  readonly writer: Writer;
  readonly staticKey?: string | undefined;
  readonly droppedLines?: () => number;
  readonly logAddresses?: boolean;
  readonly lists: ListOptions;
  readonly servers: Servers;
  /** Overrides of the default quotas; `newStores` is unlimited if not given. */
  readonly quotas?: Partial<Quotas> | undefined;
  readonly metricsForAnyone?: boolean;
  readonly sharedMetrics?: MetricsOptions['shared'];
  /** The public address, if it differs from the one listened on. */
  readonly baseUrl?: string | undefined;
  readonly trustProxy?: boolean;
  readonly accounts?: Pick<ConsoleOptions, 'limits' | 'wrapHasher'>;
  readonly connections?: ConnectionOptions;
  readonly maxChanges?: number;
  readonly consoleFolder?: string;
  readonly streams?: Partial<StreamLimits>;
  readonly now?: () => number;
}

export type App = ReturnType<typeof buildApp>;

/** Wires one deployment. Guards are listed in the order in which they run. */
export function buildApp(options: AppOptions) {
  const { deployment, log, servers, baseUrl, secret, trustProxy = false, now = Date.now } = options;
  const basePath = basePathOf(baseUrl);
  const isKey = keyMatcher(deployment, options.staticKey);
  const quotas = { ...defaultQuotas, newStores: NO_QUOTA, ...options.quotas };
  let isShuttingDown = false;
  const { db, writer, respondReadiness } = watchHealth(options.db, options.writer, () => isShuttingDown);
  const jobs = createJobs({ ...options, db, quotas }, writer, now);
  const { keyUse, counts, inspector, eraseClosed } = jobs;

  // Requests forwarded by a local proxy look like loopback requests.
  const isBehindProxy = baseUrl !== undefined || trustProxy;
  const metrics = createMetrics({
    deployment,
    readers: options.metricsForAnyone ? 'any' : isBehindProxy ? 'none' : 'loopback',
    shared: options.sharedMetrics,
  });
  if (writer.load) writer.load.onGroup = metrics.countCommit;
  const logRequest = requestLog(log, options.logAddresses);
  const observe = (exchange: Exchange) => {
    const { caller } = exchange.request;
    logRequest(exchange);
    metrics.count(exchange);
    inspector?.record(exchange);
    if (caller) jobs.recordUse(caller);
  };
  const documented = documentedErrors({ ...documents, '/v2': { ...v2Document, paths: v2Paths } });
  const sandbox = createSandbox({ deployment, db, writer, isKey, now, documented, counts });
  const { effectiveTime, send } = sandbox;

  const routes = new Routes();
  const pages = createPages(servers, baseUrl, options.consoleFolder);
  const handle = requestHandler({ routes, notFound: pages.notFound, send, observe, log });
  const { server, connections, inFlight, stop } = createHttpServer(handle, log, {
    ...options.connections,
    trustProxy,
    basePath,
  });

  routes.serve('/healthz', { GET: [respondHealthy] });
  routes.serve('/readyz', { GET: [respondReadiness] });
  routes.serve('/metrics', { GET: [metrics.handle] });
  serveContract(routes, servers);
  serveLlmsText(routes, servers);
  serveApiCatalog(routes, servers);

  const admit = createAdmission(options.maxChanges);
  const tenantOf = (request: Request) => callerOf(request).tenantId;
  const { rateLimit } = options;
  const limitsFor = (subjectOf: (request: Request) => string) =>
    rateLimit
      ? [
          limitRate(counts, 'default', (request) => ({
            subject: subjectOf(request),
            limit: perMinute(rateLimit),
          })),
        ]
      : [];
  const guards: Guard[] = [
    allowCrossOrigin,
    announceDeprecation,
    authenticate({ db, deployment, isKey, now, servers }),
    ...limitsFor((request) => tenantSubject(tenantOf(request))),
    sandbox.limitRate,
    rejectChangesByReadOnlyKeys,
    admit(tenantOf),
    sandbox.parsePreferences,
    rejectAfterSunset(effectiveTime),
    sandbox.injectFault,
  ];
  const streams = { ...defaultStreamLimits, ...options.streams };
  const responses = createResponseCache(options.lists.budget);
  const hub = openEventHub(db, writer, streams.pollMs);
  metrics.measure(appMeasures({ options, writer, jobs, connections, inFlight, hub, responses, now }));
  const services = {
    db,
    writer: sandbox.writer,
    effectiveTime,
    clock: now,
    responses,
    respondWithList: listResponses(db, listCache(db, responses, options.lists)),
    cursors: cursorsFor(secret),
    respondWithPage: pageResponses(responses),
    quotas,
    activeIdempotencyKeys: new Set<string>(),
    hub,
    streams,
    webhooks: jobs.webhooks,
    deployment,
    documented,
    fillStore: storeFiller(sandbox.writer, now, eraseClosed),
  };
  serveVersion(routes, '/v1', v1Operations, services, guards, hintForV2);
  serveVersion(routes, '/v2', v2Operations, services, guards);
  // Tools check the scope themselves: reads are POST requests, too.
  const toolGuards = guards.filter((guard) => guard !== rejectChangesByReadOnlyKeys);
  serveMcp(routes, toolGuards, services, log);

  pages.serve(routes);
  const consoleOptions = { secret, log, servers, baseUrl, isKey, keyUse, limitsFor, admit, eraseClosed };
  serveConsoleApi(routes, { ...services, ...options.accounts, ...consoleOptions });

  let closing: Promise<void> | undefined;
  return {
    server,
    routes,
    /** Returns the port, which is a free one if 0 was given. */
    async listen(at: { readonly host: string; readonly port: number }): Promise<number> {
      server.listen({ ...at, backlog: BACKLOG });
      await once(server, 'listening');
      jobs.start();
      return (server.address() as AddressInfo).port;
    },
    /** Settles once no background job has a run in progress or queued. */
    idle: jobs.idle,
    /** Makes load balancers stop sending requests; those that still arrive are handled. */
    reportNotReady(): void {
      isShuttingDown = true;
    },
    close(reconnectMs = 0) {
      hub.close();
      closing ??= stop(reconnectMs).then(() => jobs.stop());
      return closing;
    },
  };
}
