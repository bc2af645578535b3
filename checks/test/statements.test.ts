import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createContext } from '../src/service/context.ts';
import { createClient } from '../src/service/http.ts';
import { buildSuite } from '../src/service/suite.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/SPECIFICATION.md', root), 'utf8');
const statements = [...page.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \| (.*?) ?\|$/gm)].map(
  ([, number, statement = '', proofs = '', readAt = '']) => ({
    number: Number(number),
    statement,
    proofs: [...proofs.matchAll(/`([^`]+)`/g)].map(([, proof = '']) => proof),
    readAt,
  }),
);

it('all 65 statements of the specification have a proof that there is', () => {
  const nowhere = createClient('http://127.0.0.1:9/v1', 'pst_live_none');
  const { checks } = buildSuite(
    createContext({ client: nowhere, staging: nowhere, readKey: 'pst_live_none' }),
  );
  const isThere = (proof: string) =>
    proof.includes('/')
      ? existsSync(new URL(proof, root))
      : checks.some(({ id }) => id === proof || id.startsWith(`${proof}.`));
  expect(statements.map(({ number }) => number)).toEqual(Array.from({ length: 65 }, (_, i) => i + 1));
  for (const { statement, proofs } of statements) {
    expect([statement, proofs.length > 0]).toEqual([statement, true]);
    expect([statement, proofs.filter((proof) => !isThere(proof))]).toEqual([statement, []]);
  }
});

it('each check of the first version that quotes the specification proves one of them', () => {
  const nowhere = createClient('http://127.0.0.1:9/v1', 'pst_live_none');
  const { checks } = buildSuite(createContext({ client: nowhere, staging: nowhere }));
  const proofs = statements.flatMap((one) => one.proofs);
  const unnamed = checks
    .filter(
      ({ id, section, statement }) =>
        id.startsWith('v1.') && !section.startsWith('Decided') && statement.startsWith('“'),
    )
    .filter(({ id }) => !proofs.some((proof) => id === proof || id.startsWith(`${proof}.`)))
    .map(({ id }) => id);
  expect(unnamed).toEqual([]);
});
