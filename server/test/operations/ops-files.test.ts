import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variableOf } from '../../../cli/src/flags.ts';
import { serveFlags } from '../../src/config/flags.ts';
import { sqlite } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const namesIn = (text: string) =>
  new Set(text.match(/\b(petstore|nodejs|process)_[a-z0-9_]+\b/g)?.filter((name) => name !== 'process_'));

async function visibleMetrics(): Promise<Map<string, string>> {
  await using service = await startService(sqlite);
  const { text } = await service.request('GET /metrics');
  return new Map(
    Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]),
  );
}

describe('the files for operators', () => {
  it('parse', () => {
    for (const path of globSync('ops/**/*.yaml', { cwd: root }))
      for (const document of parseAllDocuments(read(path)))
        expect([path, document.errors]).toEqual([path, []]);
    for (const path of globSync('ops/**/*.json', { cwd: root })) JSON.parse(read(path));
  });

  it('name existing metrics, and the document names all of ours', async () => {
    const shown = await visibleMetrics();
    const exists = (name: string) =>
      shown.has(name) || shown.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram';
    for (const path of globSync('ops/{prometheus,grafana}/*', { cwd: root }))
      expect([path, [...namesIn(read(path))].filter((name) => !exists(name))]).toEqual([path, []]);
    const documented = namesIn(read('docs/operations/MONITORING.md'));
    expect([...documented].filter((name) => name.startsWith('petstore_') && !exists(name))).toEqual([]);
    expect([...shown.keys()].filter((name) => name.startsWith('petstore_') && !documented.has(name))).toEqual(
      [],
    );
  });

  it('have a runbook entry and a rehearsal for each alert', () => {
    const rules = parse(read('ops/prometheus/alerts.yaml')).groups.flatMap(
      ({ rules }: { rules: object[] }) => rules,
    );
    const alerts: string[] = rules.map(({ alert }: { alert: string }) => alert);
    const runbook = Array.from(
      read('docs/operations/MONITORING.md').matchAll(/^\| `(Petstore\w+)` \|/gm),
      ([, name]) => name,
    );
    expect(runbook).toEqual(alerts);
    const rehearsed = read('ops/prometheus/alerts.test.yaml').matchAll(/alertname: (\w+)\n +exp_alerts/g);
    expect(new Set(Array.from(rehearsed, ([, name]) => name))).toEqual(new Set(alerts));
  });

  it('only set variables of the service', () => {
    const known = serveFlags.flatMap((flag) => [variableOf(flag), `${variableOf(flag)}_FILE`]);
    for (const path of globSync('ops/{systemd,kubernetes}/*', { cwd: root }))
      for (const name of read(path).match(/\bPETSTORE_\w+/g) ?? []) expect(known).toContain(name);
  });
});
