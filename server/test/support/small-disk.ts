import { execFileSync } from 'node:child_process';
import { temporaryFolder } from './engines.ts';

/** A disk of a test's own, which can be filled. */
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

/** Not everybody may make one. */
export const mayMount = (() => {
  try {
    smallDisk('4k')[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
})();
