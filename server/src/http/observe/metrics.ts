import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../../config/loopback.ts';
import { ApiError } from '../errors.ts';
import type { Exchange, Handler, Request } from '../server/request.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CHANGES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** A number read at each scrape. A counter if its name ends with `_total`, else a gauge. */
interface Measure {
  readonly help: string;
  readonly read: () => Reading | Promise<Reading>;
  readonly label?: string;
  /** How the values of several workers are combined; a sum by default. */
  readonly aggregator?: 'max' | 'min';
}
type Reading = number | undefined | Iterable<readonly [value: string, number: number]>;
export type Measures = Readonly<Record<string, Measure>>;

export interface MetricsOptions {
  readonly deployment: string;
  readonly readers: 'any' | 'loopback' | 'none';
  /** Combines the registries of several workers. */
  readonly shared?: ((registry: Registry) => () => Promise<string>) | undefined;
}

export function createMetrics({ deployment, readers, shared }: MetricsOptions) {
  const registry = new Registry();
  registry.setDefaultLabels({ deployment });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const durations = new Histogram({
    name: 'petstore_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'petstore_refusals_total',
    help: 'Requests that got an error response, by error code.',
    labelNames: ['code'],
    registers,
  });
  const commits = new Histogram({
    name: 'petstore_commit_duration_seconds',
    help: 'Duration of a group of changes, including its commit.',
    buckets: SECONDS,
    registers,
  });
  const changes = new Histogram({
    name: 'petstore_commit_changes',
    help: 'Changes per commit.',
    buckets: CHANGES,
    registers,
  });

  const write = shared?.(registry) ?? (() => registry.metrics());
  const handle: Handler = async (request) => {
    const isAllowed = readers === 'any' || (readers === 'loopback' && isLocalRequest(request));
    if (!isAllowed) throw new ApiError('not_found');
    const headers = ['content-type', registry.contentType];
    return { status: 200, headers, body: Buffer.from(await write()) };
  };
  return {
    count({ request, response: { status, error }, ms }: Exchange): void {
      const { fullName: operation = 'none' } = request.operation;
      durations.observe({ operation, status }, ms / 1000);
      if (error !== undefined) errors.inc({ code: error });
    },
    countCommit(size: number, ms: number): void {
      commits.observe(ms / 1000);
      changes.observe(size);
    },
    measure(measures: Measures): void {
      for (const [name, measure] of Object.entries(measures)) register(registry, name, measure);
    },
    handle,
  };
}

function register(registry: Registry, name: string, measure: Measure): void {
  const { help, read, label, aggregator = 'sum' } = measure;
  const Metric = name.endsWith('_total') ? Counter : Gauge;
  new Metric({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    aggregator,
    async collect() {
      // A failed read omits this metric only, not the others or the values of other workers.
      const reading = await (async () => read())().catch(() => undefined);
      this.reset();
      if (reading === undefined) this.remove();
      else if (typeof reading === 'number') this.inc(reading);
      else for (const [value, number] of reading) this.inc({ [label ?? '']: value }, number);
    },
  });
}

const proxyHeaders = /^(forwarded|via|x-forwarded-(for|host|proto)|x-real-ip)$/;

/** Excludes proxied requests, and other Host headers: a web page's own host name may resolve to loopback (DNS rebinding). */
function isLocalRequest({ raw, headers }: Request): boolean {
  return (
    isLoopback(raw.socket.remoteAddress ?? '') &&
    (headers.host === undefined || isLoopback(hostName(headers.host))) &&
    !Object.keys(headers).some((name) => proxyHeaders.test(name))
  );
}

const hostName = (host: string) =>
  host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
