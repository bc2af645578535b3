import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startOwnPostgres } from '../postgres/support/own-postgres.ts';
import { everyCase } from '../support/effort.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';

/** Fills the disk up to the given number of free bytes. */
function fill(path: string, room: number): void {
  try {
    writeFileSync(path, Buffer.alloc(64 * 1024 * 1024));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
  if (room > 0) truncateSync(path, statSync(path).size - room);
}

const flags = ['--deployment', 'production', '--port', '0', '--log-level', 'error'];

/** With any amount of free space: once changes fail, `/readyz` reports it every time. */
async function readyzTells(program: RunningProgram, filling: string, before = async () => {}): Promise<void> {
  const change = async () =>
    (
      await program.request('PATCH /v2/pets/1', {
        key: program.key,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Rex ${Math.random()}`.repeat(3) }),
      })
    ).status;
  const ready = async () => (await program.request('GET /readyz')).status;
  expect([await change(), await ready()]).toEqual([200, 200]);
  for (const room of [0, 4096, 16_384, 32_768]) {
    await before();
    fill(filling, room);
    await expect.poll(change, { interval: 0 }).toBeGreaterThanOrEqual(500);
    for (let i = 0; i < 5; i++) expect([room, await ready()]).toEqual([room, 503]);
    rmSync(filling);
    await expect.poll(ready).toBe(200);
  }
}

it.runIf(mayMount)(
  '/readyz is 503 while a full disk takes no change, however little space is left',
  async () => {
    using disk = smallDisk('16m');
    await using program = await startProgram([...flags, '--data', disk.path]);
    await readyzTells(program, join(disk.path, 'filling'));
    await program.logged('its disk is full');
  },
);

it.runIf(everyCase && mayMount)(
  '/readyz is 503 while a full PostgreSQL takes no change, even if space is reused',
  async () => {
    using disk = smallDisk('40m');
    // A private server: a full disk keeps all of a server's databases from being dropped.
    await using server = await startOwnPostgres();
    const [name, folder] = ['full_disk', join(disk.path, 'space')];
    mkdirSync(folder);
    execFileSync('chmod', ['755', disk.path]);
    execFileSync('chown', ['postgres', folder]);
    await server.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
    await server.query(`CREATE DATABASE ${name} TABLESPACE ${name}`);
    try {
      await using program = await startProgram([...flags, '--database', server.url(name)]);
      const inside = new pg.Client({ connectionString: server.url(name) });
      await inside.connect();
      await readyzTells(program, join(disk.path, 'filling'), async () => {
        for (let i = 0; i < 5; i++) await inside.query("UPDATE probes SET filling = filling || '.'");
        await inside.query('VACUUM probes');
      }).finally(() => inside.end());
    } finally {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.query(`DROP TABLESPACE ${name}`);
    }
  },
);
