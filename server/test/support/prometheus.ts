import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';

/** The folder of `prometheus` and `promtool`. */
export const programs = process.env.PROMETHEUS;
const ops = fileURLToPath(new URL('../../../ops', import.meta.url));

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

/** A Prometheus that scrapes these ports, with the configuration and rules of `ops/`. */
export interface Prometheus extends AsyncDisposable {
  query(query: string): Promise<Sample[]>;
  /** Waits until an alert fires for a deployment; returns after how many seconds. */
  waitForAlert(alert: string, deployment: string): Promise<number>;
  /** The result of every dashboard query: a line for each curve. */
  dashboard(deployment: string): Promise<string[]>;
}

export async function startPrometheus(ports: readonly number[]): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'));
  const config = parse(readFileSync(join(ops, 'prometheus/prometheus.yaml'), 'utf8'));
  config.rule_files = [join(ops, 'prometheus/alerts.yaml')];
  config.scrape_configs[0].static_configs[0].targets = ports.map((port) => `127.0.0.1:${port}`);
  writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    join(programs ?? '', 'prometheus'),
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');

  const query = async (query: string): Promise<Sample[]> => {
    const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query })}`);
    const { data } = (await response.json()) as { data: { result: Sample[] } };
    return data.result;
  };
  return {
    query,
    async waitForAlert(alert, deployment) {
      const started = performance.now();
      const expression = `ALERTS{alertname="${alert}",deployment="${deployment}",alertstate="firing"}`;
      while ((await query(expression).catch(() => [])).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      return Math.round((performance.now() - started) / 1000);
    },
    async dashboard(deployment) {
      const { panels } = JSON.parse(readFileSync(join(ops, 'grafana/petstore.json'), 'utf8'));
      const lines: string[] = [];
      for (const { title, targets } of panels)
        for (const { expr, legendFormat } of targets) {
          // Four scrape intervals, as in Grafana.
          const expression = expr.replaceAll('$deployment', deployment).replaceAll('$__rate_interval', '1m');
          for (const { metric, value } of await query(expression)) {
            const legend = legendFormat.replaceAll(/{{(\w+)}}/g, (_: string, name: string) => metric[name]);
            lines.push(`${title.padEnd(44)}${legend.padEnd(44)}${Number(Number(value[1]).toPrecision(4))}`);
          }
        }
      return lines;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
