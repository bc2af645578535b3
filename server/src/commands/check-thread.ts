import { parentPort, workerData } from 'node:worker_threads';
import { damageOf } from '../database/check-sqlite.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { findContradictions } from './find-contradictions.ts';

const path = workerData as string;
const found: string[] = [];
for (const { table, problems } of damageOf(path))
  found.push(...problems.map((problem) => `table ${table}: ${problem}`));
const connection = new SqliteConnection(path, 'read');
for (const { what, problems } of await findContradictions(connection))
  found.push(...problems.map((problem) => `${what}: ${problem}`));
connection.close();
parentPort?.postMessage(found);
