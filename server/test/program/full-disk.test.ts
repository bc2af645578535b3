import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { mayMount, smallDisk } from '../support/small-disk.ts';

/** Fills the disk, but for so many bytes. */
function fill(path: string, room: number): void {
  try {
    writeFileSync(path, Buffer.alloc(64 * 1024 * 1024));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  }
  if (room > 0) truncateSync(path, statSync(path).size - room);
}

it.runIf(mayMount)(
  '/readyz says 503 for as long as a full disk takes no change, however small its rest is',
  async () => {
    using disk = smallDisk('16m');
    const filling = join(disk.path, 'filling');
    const data = ['--data', disk.path, '--deployment', 'production', '--port', '0', '--log-level', 'silent'];
    await using program = await startProgram(data);
    const { key } = program;
    const place = async () =>
      (
        await program.request('POST /v2/store/orders', {
          key,
          headers: { 'content-type': 'application/json' },
          body: '{"petId":1,"quantity":1}',
        })
      ).status;
    const ready = async () => (await program.request('GET /readyz')).status;
    expect([await place(), await ready()]).toEqual([201, 200]);
    for (const room of [0, 4096, 16_384, 32_768]) {
      fill(filling, room);
      await expect.poll(place, { timeout: 60_000, interval: 0 }).toBeGreaterThanOrEqual(500);
      for (let i = 0; i < 5; i++) expect([room, await ready()]).toEqual([room, 503]);
      rmSync(filling);
      await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    }
  },
);
