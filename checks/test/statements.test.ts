import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checksOf } from '../src/service/check-service.ts';
import { failingServices } from './support/failing-services.ts';
import { deviations } from './support/foreign/deviations.ts';
import { mutants } from './support/mutants/all.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/SPECIFICATION.md', root), 'utf8');
const statements = [...page.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, number, statement = '', proofs = '']) => ({
    number: Number(number),
    statement,
    proofs: [...proofs.matchAll(/`([^`]+)`/g)].map(([, proof = '']) => proof),
  }),
);
const nowhere = { url: 'http://127.0.0.1:9/v1', key: 'none' };
const checks = checksOf({
  level: 'all',
  named: {},
  seconds: 1,
  isReadOnly: false,
  isDocumentedOnly: false,
  staging: nowhere,
  readKey: 'none',
});
const covers = (prefix: string, id: string) => id === prefix || id.startsWith(`${prefix}.`);

it('all 66 statements of the specification reference existing checks', () => {
  expect(statements.map(({ number }) => number)).toEqual(Array.from({ length: 66 }, (_, i) => i + 1));
  const exists = (proof: string) =>
    proof.includes('/') ? existsSync(new URL(proof, root)) : checks.some(({ id }) => covers(proof, id));
  for (const { statement, proofs } of statements) {
    expect([statement, proofs.length > 0]).toEqual([statement, true]);
    expect([statement, proofs.filter((proof) => !exists(proof))]).toEqual([statement, []]);
  }
});

it('each statement has a deviating service that fails one of its checks', () => {
  const wrong = [
    ...deviations.map(({ name, fails }) => ({ name, fails })),
    ...mutants.map(({ name, noticedBy }) => ({ name, fails: noticedBy })),
  ];
  for (const { number, proofs } of statements) {
    const failing = failingServices[number] ?? [];
    expect([number, failing.length > 0]).toEqual([number, true]);
    const unfit = failing.filter(
      (name) =>
        !wrong.some(
          (deviation) =>
            deviation.name === name &&
            proofs.some((proof) => covers(proof, deviation.fails) || covers(deviation.fails, proof)),
        ),
    );
    expect([number, unfit]).toEqual([number, []]);
  }
});

it('each spec-level check verifies a statement or is verified by a deviation', () => {
  const proofs = statements.flatMap((statement) => statement.proofs);
  const unnamed = checks
    .filter(({ id, level }) => level === 'spec' && !proofs.some((proof) => covers(proof, id)))
    .filter(({ id }) => !deviations.some(({ fails }) => fails === id));
  expect(unnamed.map(({ id }) => id)).toEqual([]);
});

it('every check has a unique ID and the level its ID starts with', () => {
  for (const { id, level } of checks)
    if (level === 'spec') expect(id).toMatch(/^spec\./);
    else expect(id).not.toMatch(/^spec\./);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});
