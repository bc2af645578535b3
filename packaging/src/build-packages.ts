import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from './executable.ts';
import { pack, packClient, packProgram, packTesting } from './tarballs.ts';

/** Paths of the packages. */
export interface Packages {
  readonly program: string;
  readonly client: string;
  readonly testing: string;
  readonly executable: string;
}

/** Builds all packages from the current sources and console build. */
export async function buildPackages(target: string): Promise<Packages> {
  const work = mkdtempSync(join(tmpdir(), 'petstore-packages-'));
  const executable = join(target, process.platform === 'win32' ? 'petstore.exe' : 'petstore');
  try {
    mkdirSync(target, { recursive: true });
    const tarball = async (fill: (folder: string) => Promise<void>) => {
      const folder = join(work, fill.name);
      mkdirSync(folder);
      await fill(folder);
      return pack(folder, target);
    };
    const [program, client, testing] = await Promise.all([
      tarball(packProgram),
      tarball(packClient),
      tarball(packTesting),
      buildExecutable(join(work, 'executable'), executable),
    ]);
    return { program, client, testing, executable };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
