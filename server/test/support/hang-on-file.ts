import { existsSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a program before anything else: its writes hang in the operating system, as on a disk that is gone. */
const pipe = process.env.HANG_AT ?? '';
const { exec } = DatabaseSync.prototype;

if (!isMainThread)
  DatabaseSync.prototype.exec = function (sql) {
    if (existsSync(pipe)) {
      writeSync(2, 'it hangs\n');
      // Nobody ever opens the other end.
      openSync(pipe, 'r');
    }
    exec.call(this, sql);
  };
