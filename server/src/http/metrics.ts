import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ApiError } from './errors.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is known of a store only by looking: each becomes a gauge, read when the metrics are. */
export type Gauges = Record<string, { help: string; read: () => number | Promise<number> }>;

/** Prometheus metrics at `/metrics`: for this machine only, unless `open`. */
export function serveMetrics(
  app: FastifyInstance,
  { deployment, open, gauges }: { deployment: string; open: boolean; gauges: Gauges },
): void {
  const registry = new Registry();
  registry.setDefaultLabels({ deployment });
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'petstore_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: seconds,
    registers: [registry],
  });
  for (const [name, { help, read }] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // What cannot be read now must not hide what can.
        this.set(await Promise.resolve(read()).catch(() => Number.NaN));
      },
    });
  }

  const durations = new Map<string, Histogram.Internal<string>>();
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config?.operationId ?? 'none';
    const series = `${operation} ${reply.statusCode}`;
    const known = durations.get(series) ?? duration.labels(operation, String(reply.statusCode));
    durations.set(series, known);
    known.observe(reply.elapsedTime / 1000);
    done();
  });

  app.get('/metrics', async (request, reply) => {
    if (!open && !isFromThisMachine(request)) throw new ApiError('not_found');
    return reply.header('content-type', registry.contentType).send(await registry.metrics());
  });
}

/** A request that a proxy on this machine passed on is not from this machine. */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || address.replace('::ffff:', '').startsWith('127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}
