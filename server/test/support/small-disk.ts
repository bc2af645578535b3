import { execFileSync } from 'node:child_process';
import { temporaryFolder } from './engines.ts';

/** A small disk that a test can fill. */
export function smallDisk(size: string): Disposable & { path: string } {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder.path], { stdio: 'ignore' });
  return {
    path: folder.path,
    [Symbol.dispose]() {
      execFileSync('umount', [folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

// Mounting one needs permission.
export const mayMount = (() => {
  try {
    smallDisk('4k')[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
})();
