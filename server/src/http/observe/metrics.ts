import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../../config/loopback.ts';
import { ApiError } from '../errors.ts';
import type { Exchange, Handler, Request } from '../server/request.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CHANGES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** A number that something else knows; it is read whenever the metrics are. One whose name ends with `_total` only grows. */
interface Measure {
  readonly help: string;
  readonly read: () => Reading | Promise<Reading>;
  readonly label?: string;
  /** The numbers of several workers are added up, unless only the largest or the smallest counts. */
  readonly aggregator?: 'max' | 'min';
}
type Reading = number | undefined | Iterable<readonly [value: string, number: number]>;
export type Measures = Readonly<Record<string, Measure>>;

export interface MetricsOptions {
  readonly deployment: string;
  readonly readers: 'anyone' | 'this machine' | 'nobody';
  readonly shared?: ((own: Registry) => () => Promise<string>) | undefined;
}

export function openMetrics({ deployment, readers, shared }: MetricsOptions) {
  const registry = new Registry();
  registry.setDefaultLabels({ deployment });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const durations = new Histogram({
    name: 'petstore_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const domainErrors = new Counter({
    name: 'petstore_refusals_total',
    help: 'Requests that were answered with an error, by its code.',
    labelNames: ['code'],
    registers,
  });
  const commits = new Histogram({
    name: 'petstore_commit_duration_seconds',
    help: 'Time that a group of changes took, its commit included.',
    buckets: SECONDS,
    registers,
  });
  const changes = new Histogram({
    name: 'petstore_commit_changes',
    help: 'Changes that were made by one commit.',
    buckets: CHANGES,
    registers,
  });

  const write = shared?.(registry) ?? (() => registry.metrics());
  const show: Handler = async (request) => {
    if (readers !== 'anyone' && (readers === 'nobody' || !isFromThisMachine(request)))
      throw new ApiError('not_found');
    return {
      status: 200,
      headers: ['content-type', registry.contentType],
      body: Buffer.from(await write()),
    };
  };
  return {
    count({ request, response: { status, error }, ms }: Exchange): void {
      const { fullName: operation = 'none' } = request.operation;
      durations.observe({ operation, status }, ms / 1000);
      if (error !== undefined) domainErrors.inc({ code: error });
    },
    countCommit(size: number, ms: number): void {
      commits.observe(ms / 1000);
      changes.observe(size);
    },
    measure(measures: Measures): void {
      for (const [name, measure] of Object.entries(measures)) register(registry, name, measure);
    },
    show,
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
      // One that cannot be read now is left out: it must not hide the others, nor what another worker knows.
      const reading = await (async () => read())().catch(() => undefined);
      this.reset();
      if (reading === undefined) this.remove();
      else if (typeof reading === 'number') this.inc(reading);
      else for (const [value, number] of reading) this.inc({ [label ?? '']: value }, number);
    },
  });
}

const addedByProxies = /^(forwarded|via|x-forwarded-(for|host|proto)|x-real-ip)$/;

/** Neither a request that a proxy passed on, nor one for another host, whose name a page may have resolved to here. */
function isFromThisMachine({ raw, headers }: Request): boolean {
  return (
    isLoopback(raw.socket.remoteAddress ?? '') &&
    (headers.host === undefined || isLoopback(hostName(headers.host))) &&
    !Object.keys(headers).some((name) => addedByProxies.test(name))
  );
}

function hostName(host: string): string {
  return host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}
