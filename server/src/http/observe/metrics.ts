import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ApiError } from '../errors.ts';
import type { Durations } from './durations.ts';

/** What is known of a store only by looking: each becomes a gauge, read when the metrics are. */
type Gauges = Record<string, { help: string; read: () => number | Promise<number> }>;

export interface MetricsOptions {
  readonly deployment: string;
  readonly open: boolean;
  readonly durations: Durations;
  readonly gauges: Gauges;
}

/** Prometheus metrics at `/metrics`: for this machine only, unless `open`. */
export function serveMetrics(
  app: FastifyInstance,
  { deployment, open, durations, gauges }: MetricsOptions,
): void {
  const registry = new Registry();
  registry.setDefaultLabels({ deployment });
  collectDefaultMetrics({ register: registry });
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

  app.get('/metrics', async (request, reply) => {
    if (!open && !isFromThisMachine(request)) throw new ApiError('not_found');
    const text = `${await registry.metrics()}\n${durations.text()}`;
    return reply.header('content-type', registry.contentType).send(text);
  });
}

/** A request that a proxy on this machine passed on is not from this machine. */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  const isLoopback = address === '::1' || address.replace('::ffff:', '').startsWith('127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}
