import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { questions } from '../src/client/questions/all.ts';
import { type ChangedClient, flawedClients, sourceOf, unusualClients } from './support/flawed-clients.ts';
import { problemsOfClient } from './support/problems-of-client.ts';

const rowsOf = (page: string) =>
  readFileSync(new URL(page, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));

const clientThat = (does: string) => flawedClients.find((client) => client.does === does) as ChangedClient;

describe('each question of check-client', () => {
  it('is failed by a careful client with one mistake', () => {
    const failed = new Set(flawedClients.flatMap(({ fails }) => fails));
    expect(questions.map(({ id }) => id).filter((id) => !failed.has(id))).toEqual([]);
    for (const client of [...flawedClients, ...unusualClients]) expect(sourceOf(client)).not.toBe('');
  });

  it('is documented', () => {
    const rows = rowsOf('../../docs/TESTING.md').join('\n');
    for (const { id } of questions) expect(rows).toContain(`\`${id}\``);
  });

  it('is listed with the mistakes that it finds', () => {
    const rows = rowsOf('../README.md');
    for (const { does, fails } of flawedClients)
      for (const id of fails) expect(rows.filter((row) => row.includes(`\`${id}\``)).join()).toContain(does);
  });
});

describe.concurrent('check-client', () => {
  it.for([
    ['sends a constant `Idempotency-Key`', 'places-again', '1 order was placed'],
    [
      'prints a warning of its package manager',
      'deprecation',
      'the warning names neither the path nor the date of Sunset',
    ],
    ['reports the 404 after a lost response', 'lost-cancel', 'it reported a cancelled order as failed'],
  ] as const)('fails a client that %s', async ([does, id, problem]) => {
    expect(await problemsOfClient(clientThat(does), [id])).toEqual({ [id]: problem });
  });

  it.for(unusualClients.slice(0, 2))('passes a client that $does', async (client) => {
    const ids = ['conflict-is-final', 'lost-cancel', 'dropped-read', 'pages-interrupted'];
    expect(await problemsOfClient(client, ids)).toEqual({});
  });
});
