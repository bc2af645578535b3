import { chmodSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badgeOf } from '../src/engine/badge.ts';
import { type Entry, type Report, shortened, type Verdict } from '../src/engine/report.ts';
import { requireCommand } from '../src/engine/require-command.ts';
import { wireOf } from '../src/suite/wire-of.ts';

function reportWith(verdicts: readonly Verdict[], more: Partial<Report> = {}): Report {
  const entries = verdicts.map(
    (verdict, at): Entry => ({
      id: `entry-${at}`,
      title: 'does it',
      verdict,
      result: 'it did',
      expectation: 'It does.',
      wire: [],
    }),
  );
  return { title: 'A check', command: 'client', score: '', badge: 'client check', entries, ...more };
}

describe('a badge', () => {
  it.for([
    [['passed', 'passed', 'not tried'], '2/2', '#1a7f37'],
    [['passed', 'failed'], '1/2', '#b35900'],
    [['passed', 'failed', 'failed'], '1/3', '#b3261e'],
    [[], '0/0', '#57606a'],
  ] as const)('shows %s as %s', ([verdicts, value, color]) => {
    const svg = badgeOf(reportWith(verdicts));
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="20" role="img"/);
    expect(svg).toContain(`<title>client check: ${value}</title>`);
    expect(svg).toContain(`>${value}</text>`);
    expect(svg).toContain(color);
  });

  it('shows no score if there are no verdicts', () => {
    const svg = badgeOf(reportWith(['failed'], { isUnusable: true }));
    expect(svg).toContain('<title>client check: no verdict</title>');
    expect(svg).not.toContain('0/1');
  });
});

describe('an excerpt of a message', () => {
  const orders = Array.from({ length: 40 }, (_, i) => `{"id":${9007199254740900n + BigInt(i)}}`).join();
  const message = `HTTP/1.1 200 OK\r\nauthorization: Bearer secret\r\ndate: today\r\n\r\n[${orders}]`;

  it('contains the evidence, wherever it is in the body', () => {
    for (const id of ['9007199254740900', '9007199254740919', '9007199254740939'])
      expect(shortened(message, id)).toContain(id);
    expect(shortened(message)).not.toContain('9007199254740939');
    expect(shortened(message, 'not there')).toBe(shortened(message));
  });

  it('shows the header that is missing, and says if a body was not recorded', () => {
    const forwarded = { method: 'GET', path: '/v2/pets/3', headers: {}, body: '' };
    const sent = { status: 200, headers: { 'content-length': '90', vary: 'Origin' }, body: '' };
    const correct = { ...sent, headers: { ...sent.headers, 'x-content-type-options': 'nosniff' } };
    const { request, response, correctResponse } = wireOf({ forwarded, sent, correct });
    expect([request, response, correctResponse]).toEqual([
      'GET /v2/pets/3 HTTP/1.1',
      'HTTP/1.1 200\n\n(body not recorded)',
      'HTTP/1.1 200\nx-content-type-options: nosniff\n\n(body not recorded)',
    ]);
  });

  it('omits credentials and irrelevant headers', () => {
    expect(shortened(message)).toMatch(/^HTTP\/1.1 200 OK\nauthorization: Bearer …\n\n\[\{"id"/);
  });
});

describe('a command', () => {
  it('must be an executable program', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-command-'));
    const [program, text, directory] = ['program', 'text', 'directory'].map((name) =>
      join(folder.path, name),
    ) as [string, string, string];
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    writeFileSync(text, '');
    mkdirSync(directory);
    const env = { PATH: `/nonexistent:${folder.path}` };
    for (const runnable of [program, 'program']) requireCommand([runnable], env);
    for (const [command, problem] of [
      [text, 'permission denied'],
      ['text', 'permission denied'],
      [directory, 'command not found'],
      ['prgram', 'command not found'],
      ['', 'command not found'],
    ] as const)
      expect(() => requireCommand([command], env)).toThrow(`cannot run ${command}: ${problem}`);
  });
});
