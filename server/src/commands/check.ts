import { join } from 'node:path';
import type { ServerCommand } from '../config.ts';
import { damageOf } from '../database/check-sqlite.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { openDeployment } from '../open-deployment.ts';
import { findContradictions } from '../stores/find-contradictions.ts';
import { mustExist, oneDeployment } from './one-deployment.ts';

/** `petstore check --deployment NAME`: the whole database, also while the service runs. */
export const check: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('check', values);
  mustExist(name, location);
  let found = 0;
  const tell = (what: string, problems: readonly string[]) => {
    console.log(`${what}: ${problems.length === 0 ? 'ok' : problems.join('; ')}`);
    found += problems.length;
  };
  const path = join(location.data, `${name}.db`);
  if (location.database === undefined)
    for (const { table, problems } of damageOf(path)) tell(`table ${table}`, problems);
  if (found === 0) {
    await using deployment = await openDeployment(name, location);
    for await (const { what, problems } of findContradictions(deployment.db)) tell(`no ${what}`, problems);
  }
  if (found > 0) throw new UnusableDatabase(`the database of ${name} is damaged: see above`);
};
