import { existsSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into a program: while the pipe HANG_AT exists, its writes hang in the kernel, as on a lost disk. */
const pipe = process.env.HANG_AT ?? '';
const { exec } = DatabaseSync.prototype;

if (!isMainThread)
  DatabaseSync.prototype.exec = function (sql) {
    if (existsSync(pipe)) {
      writeSync(2, 'it hangs\n');
      // The other end is never opened.
      openSync(pipe, 'r');
    }
    exec.call(this, sql);
  };
