import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documents } from '../../src/http/openapi/contract.ts';

const source = new URL('../../src/', import.meta.url);

/** Whoever adds an address that a client may give has an attack to write here first: this then fails. */
it('API7, server side request forgery: no operation takes an address to call', () => {
  expect(JSON.stringify(documents)).not.toMatch(/"format":"uri|"url":\{"type"/);
});

it('API10, unsafe consumption of APIs: the program calls nobody', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.[jt]s$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const callers = files.filter((name) =>
    /\bawait fetch\(|from 'node:(https|http2|dns)'|\b(request|get)\b[^\n]*from 'node:http'|from 'undici'/.test(
      readFileSync(new URL(name, source), 'utf8'),
    ),
  );
  expect(callers).toEqual([]);
});
