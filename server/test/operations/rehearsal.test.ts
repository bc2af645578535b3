import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startOwnPostgres } from '../postgres/support/own-postgres.ts';
import { runCommand } from '../support/command.ts';
import { sqlite } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startProgram } from '../support/program.ts';
import { programs, startPrometheus } from '../support/prometheus.ts';

const MINUTES = 60_000;

/** Repeats an action, ignoring failures. */
function keep(everyMs: number, work: () => unknown): Disposable {
  const timer = setInterval(() => void (async () => work())().catch(() => {}), everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

describe.skipIf(programs === undefined)('with Prometheus', () => {
  it('the rules and the configuration are valid, and every rehearsed alert fires', () => {
    const cwd = fileURLToPath(new URL('../../../ops/prometheus', import.meta.url));
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['check', 'config', 'prometheus.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ])
      console.log(execFileSync(join(programs ?? '', 'promtool'), args, { cwd, encoding: 'utf8' }));
  });

  it('a stalled disk, a lost database, a failing receiver and a flood each fire an alert', {
    timeout: 40 * MINUTES,
  }, async () => {
    await using postgres = await startOwnPostgres();
    await using database = await postgres.engine.create('production');
    await using production = await startProgram([...database.flags, '--port', '0']);
    await using files = await sqlite.create('staging');
    const limited = ['--port', '0', '--rate-limit', '600'];
    await using staging = await startProgram([...files.flags, ...limited]);
    const flooding = (await runCommand(['keys', 'create', ...files.flags])).stdout.trim();
    await using prometheus = await startPrometheus([production.port, staging.port]);
    const show = async (what: string, deployment: string) =>
      console.log([`--- ${what}`, ...(await prometheus.dashboard(deployment))].join('\n'));
    const alarmed = async (what: string, alert: string, deployment: string) => {
      const seconds = await prometheus.waitForAlert(alert, deployment);
      await show(`${what}: ${alert} fires after ${seconds} s`, deployment);
    };
    const change = async ({ request, key }: typeof production) => {
      const headers = { 'content-type': 'application/json' };
      await request('PATCH /v2/pets/1', { key, headers, body: `{"stock":${1 + (Date.now() % 1000)}}` });
    };
    using _lists = keep(100, () => production.request('GET /v1/store/orders', { key: production.key }));
    using _changes = keep(100, () => change(production));

    // Nothing has listened there for an hour.
    const body = JSON.stringify({ url: `http://127.0.0.1:${await freePort()}/` });
    const headers = { 'content-type': 'application/json' };
    await staging.request('POST /v2/webhooks', { key: staging.key, headers, body });
    await change(staging);
    using _messages = keep(1_000, () => change(staging));
    const receiverDown = alarmed('a receiver is down', 'PetstoreWebhooks', 'staging');
    const waiting = () => files.rows('SELECT id FROM deliveries');
    while ((await waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    await files.exec('UPDATE deliveries SET created_at = created_at - 3600000');

    {
      using _flood = keep(25, () => staging.request('GET /v1/pets', { key: flooding }));
      await alarmed('a flood', 'PetstoreFlood', 'staging');
    }
    await show('all is well', 'production');
    expect(await prometheus.query('ALERTS{deployment="production",alertstate="firing"}')).toEqual([]);

    {
      let isFrozen = false;
      using _stalls = keep(1_000, () => {
        if (isFrozen) postgres.thaw();
        else postgres.freeze();
        isFrozen = !isFrozen;
      });
      await alarmed('the disk stalls', 'PetstoreSlowCommits', 'production');
    }
    postgres.thaw();

    await postgres.stop();
    await alarmed('the database is gone', 'PetstoreUnavailable', 'production');
    expect((await production.request('GET /readyz')).status).toBe(503);
    expect(production.output.stdout + production.output.stderr).toContain('database');
    await postgres.start();
    while ((await production.request('GET /v1/pets', { key: production.key })).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await production.request('GET /readyz')).status).toBe(200);

    await receiverDown;
    // None of this is logged as an error.
    expect(
      await prometheus.query('ALERTS{alertname=~"PetstoreErrors|PetstoreDown|PetstoreDamaged"}'),
    ).toEqual([]);
  });
});
