import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

/** Preloaded into a program: kills it at the Nth call that changes a file below a folder. */
const { KILL_AT, KILL_BELOW = '' } = process.env;
let calls = 0;

function count(): void {
  if (calls++ === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['chmodSync', 'fsyncSync', 'linkSync', 'renameSync'] as const) {
  const call = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      if (name === 'fsyncSync' || String(args[0]).startsWith(KILL_BELOW)) count();
      return call(...args);
    },
  });
}
syncBuiltinESMExports();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (/journal_mode|COMMIT/.test(sql)) count();
  exec.call(this, sql);
};
