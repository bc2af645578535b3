import { describe, expect, it } from 'vitest';
import { documents } from '../../src/api/contract.ts';
import { DEFAULT_RATE_LIMIT } from '../../src/config/flags.ts';
import { generateKey } from '../../src/domain/key-format.ts';
import { orderStatuses } from '../../src/domain/vocabulary.ts';
import { transitions } from '../../src/orders/states.ts';
import { v1Document } from '../../src/v1/document.ts';

const { description } = v1Document.info;
const ofList = String(v1Document.paths['/store/orders']?.get?.description);

describe('the document of version 1 describes', () => {
  it('that the service is for demonstration only', () => {
    for (const { info } of Object.values(documents))
      expect(info.description).toContain('For demonstration only, not meant for production use.');
    expect(v1Document.info.title).toBe('Pet Store Service');
  });

  it('the order states, their transitions, and what pending means', () => {
    for (const status of orderStatuses) expect(description).toContain(`\`${status}\``);
    const arrows = [...description.matchAll(/from `pending`((?: to `\w+`)+)/g)].map(([, steps = '']) =>
      ['pending', ...[...steps.matchAll(/`(\w+)`/g)].map(([, name]) => name)].join(' '),
    );
    expect(arrows).toEqual(['pending shipped delivered', 'pending cancelled']);
    expect(
      Object.values(transitions)
        .map(({ from, to }) => `${from} ${to}`)
        .sort(),
    ).toEqual(['pending cancelled', 'pending shipped', 'shipped delivered']);
    expect(description).toContain('`pending` from the time it is placed until it ships');
  });

  it('where to get a key, its format, and its lifetime', () => {
    const scheme = v1Document.components.securitySchemes.apiKey.description;
    for (const text of [description, scheme]) {
      expect(text).toMatch(/Sign up .*console.* copy/);
      expect(text).toContain('does not expire unless you set an expiry');
      const [, characters] = /(\d+) letters and digits/.exec(text) ?? [];
      for (const name of ['production', 'staging'] as const) {
        const key = generateKey(name);
        expect(text).toContain(`\`${key.slice(0, 9)}`);
        expect(key.length - 9).toBe(Number(characters));
      }
    }
  });

  it('where filters and pages are, and how to place orders', () => {
    for (const text of [description, ofList]) {
      expect(text).toMatch(/use \[version 2\]\(\/docs\/v2/);
      expect(text).toMatch(/To place (an order|orders), use .*version 2.* or the/);
    }
    expect(ofList).toContain('`status=pending` are ignored');
  });

  it('about 405 at every path, and HTTP-level errors in one place', () => {
    for (const item of Object.values<Record<string, { responses: object }>>(v1Document.paths))
      for (const { responses } of Object.values(item))
        expect(responses).toHaveProperty('405.$ref', '#/components/responses/MethodNotAllowed');
    for (const status of [400, 405, 408, 414, 431, 501])
      expect(description).toMatch(new RegExp(`\\b${status} \\(`));
  });

  it('the default limits', () => {
    expect(v1Document.components.headers.RateLimitPolicy.example).toBe(
      `"default";q=${DEFAULT_RATE_LIMIT};w=60`,
    );
  });
});
