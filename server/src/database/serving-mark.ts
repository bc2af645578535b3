import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Says that somebody serves a database file, as long as it lives: the lock is the system's, and ends with its holder. */
export interface ServingMark extends Disposable {
  /** Whether another process had it already. */
  readonly isShared: boolean;
}

export function markServed(path: string): ServingMark {
  const file = `${path}-serving`;
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    return { isShared: true, [Symbol.dispose]: () => {} };
  }
  return {
    isShared: false,
    [Symbol.dispose]() {
      rmSync(file, { force: true });
      lock.close();
    },
  };
}
