import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { equal, expectError, expectSameBody, expectStatus, headerOf } from '../expect.ts';
import { cancel } from '../orders.ts';

/** Spellings that a lenient parser reads as the number itself. */
export const lookalikes = (id: bigint): string[] => [
  `${id}.0`,
  `${id}.`,
  `+${id}`,
  `-${id}`,
  `0${id}`,
  `00${id}`,
  `%20${id}`,
  `${id}%20`,
  `%09${id}`,
  `${id}%0A`,
  `${id}%00`,
  `${id}e0`,
  `${id}E0`,
  `0x${id.toString(16)}`,
  `0b${id.toString(2)}`,
  `${id}n`,
  `${id}_`,
  `${id},${id}`,
  `${id};v=1`,
  `${id}%2F`,
  `%22${id}%22`,
  `[${id}]`,
  // Full-width digits, which some parsers accept.
  digitsFrom(id, 0xff10),
  // Arabic-Indic and Devanagari.
  digitsFrom(id, 0x660),
  digitsFrom(id, 0x966),
  // The same number after wrapping around at 32 or 64 bits.
  `${id + 2n ** 32n}`,
  `${id + 2n ** 64n}`,
  `${id - 2n ** 64n}`,
];

/** The digits of an ID in another script, percent-encoded. */
function digitsFrom(id: bigint, zero: number): string {
  return encodeURIComponent([...`${id}`].map((digit) => String.fromCodePoint(zero + Number(digit))).join(''));
}

const invalidIds = [
  { name: 'word', id: 'abc', shown: '`abc`' },
  { name: 'fraction', id: '1.0', shown: '`1.0`' },
  { name: 'plus', id: '+1', shown: '`+1`' },
  { name: 'leading-zero', id: '01', shown: '`01`' },
  { name: '2-to-63', id: '9223372036854775808', shown: '2^63' },
  { name: 'minus-zero', id: '-0', shown: '`-0`' },
  { name: 'space', id: '%201', shown: '` 1`' },
  { name: 'exponent', id: '1e0', shown: '`1e0`' },
];

const unusualIds = [
  '0',
  '-1',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551617',
  'null',
  'NaN',
];

const largeIds = ['9223372036854775807', '9223372036854775806', '9007199254740993', '9007199254740992'];

export function idChecks(suite: Suite, { client, orders, pets }: Context): void {
  const { documented, check } = suite.section('v1.ids', 'Decisions: identifiers');
  const expectMissing = async (id: string) => {
    expectError(await cancel(client, id), 404, 'not_found');
    expectError(await client.send({ path: `/pets/${id}` }), 404, 'not_found');
  };

  for (const { name, id, shown } of invalidIds) {
    check(`no-id.${name}`, `${shown} in the path is 404 \`not_found\` for an order and for a pet`, () =>
      expectMissing(id),
    );
  }
  check(
    'other-words',
    'zero, negative numbers, words, emoji and numbers of a thousand digits are 404, too',
    async () => {
      for (const id of [...unusualIds, '%F0%9F%90%B6', '%2e%2e', '9'.repeat(1000), 'x'.repeat(1000)])
        await expectMissing(id);
    },
  );
  check('largest', 'the largest int64 and its neighbors are ordinary IDs: 404, not 400', async () => {
    const listed = new Set([...(await orders.list()).orders, ...(await pets())].map(({ id }) => `${id}`));
    for (const id of largeIds) if (!listed.has(id)) await expectMissing(id);
  });
  check('pet-aliases', 'no other spelling of an ID finds a pet', async () => {
    for (const id of lookalikes(1n))
      expectError(await client.send({ path: `/pets/${id}` }), 404, 'not_found');
  });
  check('order-aliases', 'no other spelling of an ID cancels an order; the plain one then does', async () => {
    const { responses } = await orders.cancelPending(async ({ id }) => {
      const { response } = await orders.list();
      for (const lookalike of lookalikes(id)) expectError(await cancel(client, lookalike), 404, 'not_found');
      expectSameBody((await orders.list()).response, response);
      return [await cancel(client, id)];
    });
    for (const response of responses) expectStatus(response, 204);
  });
  documented(
    'digits-in-json',
    'an ID is a plain integer in JSON: digits only, without quotes, decimal point or exponent',
    async () => {
      const { response, orders: listed } = await orders.list();
      const written = [...response.text.matchAll(/"id"\s*:\s*([^,}\s]+)/g)].map(([, text]) => text).join();
      const expected = listed.map(({ id }) => `${id}`).join();
      equal(written, expected, 'the ids in the text:', response.request);
    },
  );
  check('needless-escapes', 'a percent-encoded ID is the same ID: `%31` is `1`', async () => {
    const plain = await client.send({ path: '/pets/{petId}' });
    const id = await client.pathOf('{petId}');
    const escapes = [...id].map((digit) => `%3${digit}`).join('');
    const escaped = await client.send({ path: `/pets/${escapes}` });
    expectStatus(escaped, 200);
    expectSameBody(escaped, plain);
    headerOf(escaped, 'Deprecation');
  });
}
