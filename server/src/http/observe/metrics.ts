import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../../config/loopback.ts';
import { ApiError } from '../errors.ts';
import type { Handler } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import type { Exchange } from './exchange.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Each becomes a gauge, read when the metrics are. */
type Gauges = Record<
  string,
  {
    help: string;
    read: () => number | Promise<number> /** Of what several workers tell; their sum unless given. */;
    aggregator?: 'max';
  }
>;

export interface MetricsOptions {
  readonly deployment: string;
  /** Who may read them. */
  readonly readers: 'anyone' | 'this machine' | 'nobody';
  readonly gauges: Gauges;
  /** Makes the text of all workers' metrics, where there are several. */
  readonly shared?: ((own: Registry) => () => Promise<string>) | undefined;
}

/** Prometheus metrics: how requests are counted, and the handler that shows all of them. */
export function openMetrics({ deployment, readers, gauges, shared }: MetricsOptions) {
  const registry = new Registry();
  registry.setDefaultLabels({ deployment });
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'petstore_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  for (const [name, { help, read, aggregator = 'sum' }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      aggregator,
      async collect() {
        // What cannot be read now must not hide what can.
        this.set(await Promise.resolve(read()).catch(() => Number.NaN));
      },
    });
  }

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
    count: ({ operation = 'none', status, ms }: Exchange) =>
      durations.observe({ operation, status }, ms / 1000),
    show,
  };
}

/** What proxies add to a request that they pass on. */
const addedByProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * A request that a proxy on this machine passed on is not from this machine. Neither is one for another host: a page
 * from elsewhere may have its name resolved to this machine, and its script then asks here.
 */
function isFromThisMachine({ raw, headers }: Request): boolean {
  return (
    isLoopback(raw.socket.remoteAddress ?? '') &&
    (headers.host === undefined || isLoopback(hostName(headers.host))) &&
    addedByProxies.every((name) => headers[name] === undefined)
  );
}

function hostName(host: string): string {
  return host
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}
