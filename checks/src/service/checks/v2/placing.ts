import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, equal, expectError, expectStatus, headerOf } from '../../expect.ts';
import { objectOf, orderIn } from '../../v2.ts';
import { sectionOf } from './section.ts';

const fields = ['id', 'petId', 'quantity', 'shipDate', 'complete', 'status', 'placedAt', 'updatedAt'];
const day = 86_400_000;

export function placingChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'place', 'placing orders');
  const pet = once(() => v2.newPet(5000));
  const place = async (rest: string) => v2.tryToPlace(`{"petId":${await pet()},${rest}}`);
  const revision = async () => objectOf(await v2.get('/store/summary')).revision;

  /** Expects each body to be rejected with the code, and the store to be unchanged. */
  const expectRejected = async (
    status: number,
    code: string,
    bodies: string[],
    headers?: Record<string, string>,
  ) => {
    const before = await revision();
    for (const body of bodies) expectError(await v2.tryToPlace(body, headers), status, code);
    equal(await revision(), before, 'the revision of the store');
  };

  check(
    '201',
    '201 with the pending order: the five fields, `status`, `placedAt` and `updatedAt`',
    async () => {
      const petId = await pet();
      const response = await place('"quantity":3,"shipDate":"2031-02-03T04:05:06.789Z"');
      const order = orderIn(response, 201);
      equal(Object.keys(order).slice(0, 8), fields, 'the fields', response.request);
      const { id, placedAt } = order;
      const expected = {
        petId,
        quantity: 3n,
        shipDate: '2031-02-03T04:05:06.789Z',
        complete: false,
        status: 'pending',
      };
      equal(order, { ...order, id, ...expected, updatedAt: placedAt }, 'the order', response.request);
      const apart = Math.abs(Date.parse(String(placedAt)) - Date.parse(headerOf(response, 'Date')));
      ensure(apart < 60_000, 'the current time as `placedAt`', placedAt, response.request);
    },
  );
  check('location', '201 with `Location`, whose GET returns the same bytes', async () => {
    const response = await place('"quantity":1');
    const { pathname } = new URL(headerOf(response, 'Location'), client.base);
    const { id } = orderIn(response, 201);
    equal(pathname, `${client.v2}/store/orders/${id}`, 'Location', response.request);
    const found = await client.send({ prefix: '', path: pathname });
    expectStatus(found, 200);
    equal(found.text, response.text, 'the bytes of the 201', found.request);
  });
  check('next-id', 'each order has a new ID, in sequence', async () => {
    const first = orderIn(await place('"quantity":1'), 201);
    const second = orderIn(await place('"quantity":1'), 201);
    ensure(second.id > first.id, `an id beyond ${first.id}`, second.id);
  });
  check('default-date', '`shipDate` is optional: three days from now', async () => {
    const { shipDate, placedAt } = orderIn(await place('"quantity":1'), 201);
    equal(Date.parse(shipDate) - Date.parse(String(placedAt)), 3 * day, 'milliseconds ahead');
  });
  check('dates', 'a date with an offset is converted to UTC; `+0000` is accepted', async () => {
    for (const text of ['2031-02-03T04:35:06.789+05:30', '2031-02-02T23:05:06.789+0000']) {
      const { shipDate } = orderIn(await place(`"quantity":1,"shipDate":"${text}"`), 201);
      equal(shipDate, '2031-02-02T23:05:06.789Z', 'shipDate', text);
    }
    const petId = await pet();
    const bad = ['2031-02-30T00:00:00Z', '2031-02-03', 'soon', '', '2031-02-03T04:05:06'];
    await expectRejected(
      400,
      'invalid_body',
      bad.map((date) => `{"petId":${petId},"quantity":1,"shipDate":"${date}"}`),
    );
  });
  check('quantity', '`quantity` 1–1000: less or more is 400 `invalid_body`', async () => {
    for (const units of [1, 1000])
      equal(orderIn(await place(`"quantity":${units}`), 201).quantity, BigInt(units), 'units');
    const petId = await pet();
    const bad = ['0', '1001', '-1', '9007199254740993', '1e99', 'null', 'true'];
    await expectRejected(
      400,
      'invalid_body',
      bad.map((units) => `{"petId":${petId},"quantity":${units}}`),
    );
  });
  check(
    'integers',
    'integers may be written as `3.0`; text and fractions are 400 `invalid_body`',
    async () => {
      const petId = await pet();
      for (const text of ['3', '3.0', '30e-1', '0.3e1']) {
        equal(orderIn(await place(`"quantity":${text}`), 201).quantity, 3n, 'quantity', text);
      }
      const bad = [`{"petId":${petId},"quantity":"3"}`, `{"petId":${petId},"quantity":1.5}`];
      await expectRejected(400, 'invalid_body', [
        ...bad,
        `{"petId":"${petId}","quantity":1}`,
        `{"petId":${petId}.5,"quantity":1}`,
      ]);
    },
  );
  check('closed', 'a missing, unknown or mistyped field is 400 `invalid_body`', async () => {
    const petId = await pet();
    const valid = `"petId":${petId},"quantity":1`;
    await expectRejected(400, 'invalid_body', [
      '{}',
      `{"petId":${petId}}`,
      '{"quantity":1}',
      `{${valid},"status":"shipped"}`,
      `{${valid},"note":"a"}`,
      `{${valid},"shipDate":5}`,
      `{${valid},"id":1}`,
      `[{${valid}}]`,
      'null',
      '"order"',
    ]);
  });
  check('not-json', 'a body that is not JSON, or missing, is 400 `invalid_body`', () =>
    expectRejected(400, 'invalid_body', ['{', '', 'petId=1&quantity=1', '{"petId":1,"quantity":1}}']),
  );
  check(
    'media-type',
    'another content type, or a compressed body, is 415 `unsupported_media_type`',
    async () => {
      const body = `{"petId":${await pet()},"quantity":1}`;
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        await expectRejected(415, 'unsupported_media_type', [body], { 'Content-Type': type });
      }
      await expectRejected(415, 'unsupported_media_type', [body], { 'Content-Encoding': 'gzip' });
    },
  );
  check('too-large', 'a body beyond 64 KiB is 413 `payload_too_large`', async () => {
    const filler = ' '.repeat(70_000);
    await expectRejected(413, 'payload_too_large', [`{"petId":${await pet()},${filler}"quantity":1}`]);
  });
  check('unknown-pet', 'a missing pet is 422 `unknown_pet`', () =>
    expectRejected(422, 'unknown_pet', [
      '{"petId":987654321,"quantity":1}',
      '{"petId":9223372036854775807,"quantity":1}',
    ]),
  );
  check(
    'insufficient-stock',
    'more than the stock is 409 `insufficient_stock`, and takes nothing',
    async () => {
      const petId = await v2.newPet(3);
      await expectRejected(409, 'insufficient_stock', [`{"petId":${petId},"quantity":4}`]);
      equal(await v2.stockOf(petId), 3n, 'the stock');
      await v2.place(petId, 3);
    },
  );
}
