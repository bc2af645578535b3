import type { Exchange } from './exchange.ts';

const NAME = 'petstore_request_duration_seconds';
const HELP = 'Time from the arrival of a request to the end of its answer.';
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly labels: string;
  /** Exchanges that took no longer than each bound, and longer than the one before; those beyond all come last. */
  readonly counts: Float64Array;
  sum: number;
}

/** How long requests took, by operation and status: a Prometheus histogram that costs a request next to nothing. */
export class Durations {
  readonly #deployment: string;
  readonly #operations = new Map<string, Map<number, Series>>();

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  count({ operation, status, ms }: Exchange): void {
    const series = this.#operations.get(operation)?.get(status) ?? this.#open(operation, status);
    const seconds = ms / 1000;
    let bucket = 0;
    while (bucket < BOUNDS.length && seconds > (BOUNDS[bucket] as number)) bucket++;
    (series.counts[bucket] as number)++;
    series.sum += seconds;
  }

  /** In Prometheus' text format. */
  text(): string {
    const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
    for (const statuses of this.#operations.values()) {
      for (const { labels, counts, sum } of statuses.values()) {
        let count = 0;
        for (const [i, more] of counts.entries()) {
          count += more;
          lines.push(`${NAME}_bucket{le="${BOUNDS[i] ?? '+Inf'}",${labels}} ${count}`);
        }
        lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`);
      }
    }
    return `${lines.join('\n')}\n`;
  }

  #open(operation: string, status: number): Series {
    const labels = `operation="${operation}",status="${status}",deployment="${this.#deployment}"`;
    const series = { labels, counts: new Float64Array(BOUNDS.length + 1), sum: 0 };
    const statuses = this.#operations.get(operation) ?? new Map<number, Series>();
    this.#operations.set(operation, statuses.set(status, series));
    return series;
  }
}
