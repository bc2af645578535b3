import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
const GIGABYTE = 2 ** 30;

/**
 * Where tests keep their databases: in memory where there is plenty, so that nobody waits for a disk. A database is made
 * and dropped there in a tenth of the time. What is killed there loses no more than on a disk that keeps its power.
 */
export const quickDisk = hasRoomInMemory() ? SHARED_MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).find(([, path]) => path === SHARED_MEMORY)?.[3];
    // Some tests run programs in the folder that they were given.
    if (options === undefined || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize > 4 * GIGABYTE && process.availableMemory() > 6 * GIGABYTE;
  } catch {
    return false;
  }
}
