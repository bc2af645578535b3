import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { AT, AT_START, CALLS, HANGS, IS_AFTER } from './hanging-calls.ts';

/** Preloaded into the writer thread: makes its Nth call to the database or a file hang. */
const { shared } = workerData as { shared: Int32Array };

type Method = (this: unknown, ...args: never[]) => unknown;

function patch(place: object, name: string): void {
  const method = Reflect.get(place, name) as Method;
  Reflect.set(place, name, function (this: unknown, ...args: never[]) {
    const hangs = Atomics.add(shared, CALLS, 1) + 1 === Atomics.load(shared, AT);
    const isAfter = Atomics.load(shared, IS_AFTER) === 1;
    if (hangs && !isAfter) hang();
    try {
      return method.apply(this, args);
    } finally {
      if (hangs && isAfter) hang();
    }
  });
}

function hang(): void {
  Atomics.store(shared, HANGS, 1);
  Atomics.notify(shared, HANGS);
  // A background job may reach its call just after disarming.
  if (Atomics.load(shared, AT) !== 0) Atomics.wait(shared, HANGS, 1);
}

if (Atomics.load(shared, AT) === AT_START) hang();
patch(DatabaseSync.prototype, 'exec');
patch(StatementSync.prototype, 'all');
patch(fs, 'statSync');
syncBuiltinESMExports();
