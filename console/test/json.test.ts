import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from '../src/api/json.ts';

const largest = '9223372036854775807';
const text = `{"data":[{"id":${largest},"petId":-${largest},"quantity":3,"name":"say \\"9007199254740993\\" or 9007199254740993"},{"id":1,"petId":2}]}`;

describe.each([
  ['with the digits as they were sent', true],
  ['in a browser that does not show them', false],
])('parsing %s', (_, exact) => {
  it('keeps every id to its last digit', () => {
    const { data } = parseJson<{ data: Array<Record<string, unknown>> }>(text, exact);
    expect(data[0]).toMatchObject({ id: largest, petId: `-${largest}`, quantity: 3 });
    expect(data[1]).toEqual({ id: '1', petId: '2' });
  });

  it('leaves texts alone, whatever they look like', () => {
    const { data } = parseJson<{ data: Array<{ name: string }> }>(text, exact);
    expect(data[0]?.name).toBe('say "9007199254740993" or 9007199254740993');
    expect(parseJson('{"id":"k_123","name":"a\\\\"}', exact)).toEqual({ id: 'k_123', name: 'a\\' });
  });
});

it('an id is written as the integer it is', () => {
  expect(writeJson({ petId: largest, quantity: 1, shipDate: undefined })).toBe(
    `{"petId":${largest},"quantity":1}`,
  );
  expect(writeJson({ petId: '1,"x":2' })).toBe('{"petId":"1,\\"x\\":2"}');
});
