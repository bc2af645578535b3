import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { postgres, temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';

it('secrets can be in files: the database address, with a password of punctuation, and a key', async () => {
  await using database = await postgres.create();
  using folder = temporaryFolder();
  const [address, key] = [join(folder.path, 'address'), join(folder.path, 'key')];
  const url = new URL(database.location.database ?? '');
  const password = 'p@s/s?w#o:r%d';
  const name = `pets_${url.pathname.slice(1)}`;
  await using admin = await connect(url.href);
  await admin.query(`CREATE ROLE ${name} SUPERUSER LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  url.username = name;
  url.password = encodeURIComponent(password);
  writeFileSync(address, `${url}\n`);
  await using program = await startProgram(['--deployment', 'production', '--port', '0'], {
    env: { PETSTORE_DATABASE_FILE: address },
  });
  writeFileSync(key, `${program.key}\n`);
  const env = { PETSTORE_KEY_FILE: key, PETSTORE_URL: `http://127.0.0.1:${program.port}/v1` };
  const { code, stdout } = await runCommand(['pets', 'list', '--json'], { env });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.arrayContaining([expect.objectContaining({ id: 1 })]),
  ]);
  await program.stop('SIGTERM');
  await admin.query(`DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`);
});

async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
