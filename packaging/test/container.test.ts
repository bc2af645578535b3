import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { variableOf } from '../../cli/src/flags.ts';
import { type FlagValues, serveFlags } from '../../server/src/config/flags.ts';
import { serveConfigFrom } from '../../server/src/config/serve-config.ts';
import { root } from '../src/bundle.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The service's configuration from these variables, all of which it must know. */
function configFrom(variables: Record<string, string>) {
  const named = new Map(serveFlags.map((flag) => [variableOf(flag), flag]));
  const switches: Record<string, boolean> = { true: true, false: false };
  const values = Object.entries(variables).map(([variable, value]) => {
    expect(named.keys().toArray()).toContain(variable);
    return [named.get(variable), switches[value] ?? value];
  });
  return serveConfigFrom(Object.fromEntries(values) as FlagValues);
}

it('the container serves both deployments externally, on documented ports, from its volume', () => {
  const text = read('Containerfile');
  const [, line = ''] = /^ENV (.*)$/m.exec(text) ?? [];
  const config = configFrom(Object.fromEntries(line.split(' ').map((pair) => pair.split('='))));
  expect(config).toMatchObject({
    host: '0.0.0.0',
    ports: { production: 8080, staging: 8081 },
    data: '/data',
    demo: false,
  });
  expect(text).toMatch(/^VOLUME \/data$/m);
  expect(text).toMatch(/^EXPOSE 8080 8081$/m);
  expect(text).toMatch(/^USER [1-9]/m);
});

it('staging has a static key', () => {
  const { environment } = parse(read('compose.yaml'), { merge: true }).services.staging;
  const key = environment.PETSTORE_STAGING_KEY.replace(/^.*:-(.*)}$/, '$1');
  expect(configFrom({ ...environment, PETSTORE_STAGING_KEY: key })).toMatchObject({
    deployments: ['staging'],
    ports: { staging: 8081 },
    stagingKey: key,
  });
});

it('proxy and replicas share a network that neither owns, so that each restarts separately', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const { scrape_configs } = parse(read('ops/prometheus/prometheus.yaml'));
  const inside = Object.entries<{ network_mode?: string }>(services)
    .filter(([, { network_mode }]) => network_mode === 'service:network')
    .map(([name]) => name);
  expect(inside).toEqual(['replica-1', 'replica-2', 'replica-3', 'nginx', 'prometheus']);
  const upstreams = read('docs/nginx.conf').matchAll(/^ *server ([\d.]+:\d+)/gm);
  expect(scrape_configs[0].static_configs[0].targets).toEqual(Array.from(upstreams, ([, at]) => at));
});

it('the replicas are where the proxy expects them, with the limits used beyond loopback', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const replicas = Object.entries<{ environment: Record<string, string> }>(services)
    .filter(([name]) => name.startsWith('replica'))
    .map(([, { environment }]) =>
      configFrom({
        ...environment,
        PETSTORE_DATABASE: 'postgres://d/p',
        PETSTORE_BASE_URL: 'https://pets.example',
      }),
    );
  const upstreams = Array.from(
    read('docs/nginx.conf').matchAll(/^ *server ([\d.]+):(\d+)/gm),
    ([, host, port]) => ({
      host,
      port: Number(port),
    }),
  );
  expect(replicas.map(({ host, ports }) => ({ host, port: ports.production }))).toEqual(upstreams);
  const beyond = serveConfigFrom({ host: '0.0.0.0' });
  for (const { rateLimit, quotas, webhooksPrivate, demo, trustProxy, drainMs } of replicas)
    expect({ rateLimit, quotas, webhooksPrivate, demo, trustProxy, drainMs }).toEqual({
      rateLimit: beyond.rateLimit,
      drainMs: beyond.drainMs,
      quotas: beyond.quotas,
      webhooksPrivate: false,
      demo: false,
      trustProxy: true,
    });
});
