import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import {
  ensure,
  equal,
  expectError,
  expectNoHeader,
  expectSameBody,
  expectStatus,
  headerOf,
} from '../expect.ts';
import type { Response } from '../http.ts';
import { alteredKey } from '../invalid-keys.ts';
import { missingId } from '../orders.ts';

const isOnDay = (time: number, day: string) => new Date(time).toISOString().startsWith(`${day}T`);

/** Expects the headers of RFC 9745 and RFC 8594, and a link to the announcement. */
function expectDeprecationHeaders(response: Response): void {
  const deprecation = headerOf(response, 'Deprecation');
  const since = Number(/^@(\d+)$/.exec(deprecation)?.[1] ?? Number.NaN) * 1000;
  const isDeprecationDay = !Number.isNaN(since) && isOnDay(since, '2026-11-15');
  ensure(isDeprecationDay, 'Deprecation: @ and the Unix time of 2026-11-15', deprecation, response.request);
  const sunset = headerOf(response, 'Sunset');
  const until = new Date(sunset);
  const isHttpDate = !Number.isNaN(until.getTime()) && until.toUTCString() === sunset;
  ensure(
    isHttpDate && isOnDay(until.getTime(), '2030-12-05'),
    'Sunset: an HTTP date on 2030-12-05',
    sunset,
    response.request,
  );
  const link = headerOf(response, 'Link');
  ensure(
    /<[^>]+>\s*;.*rel="?(deprecation|sunset)/.test(link),
    'a link to the announcement',
    link,
    response.request,
  );
}

export function petEndpointChecks(suite: Suite, { client, pets, staging }: Context): void {
  const { documented, check } = suite.section('v1.pets', 'Endpoints: pets');
  const levelAll = suite.section('v1.pets', 'Endpoints: pets', 'all');

  documented('ascending', '`GET /pets` lists all pets in one array, in ascending order of `id`', async () => {
    const ids = (await pets()).map(({ id }) => id as bigint);
    equal(
      ids,
      ids.toSorted((a, b) => (a < b ? -1 : 1)),
      'the ids',
    );
  });
  documented('invalid-key', '`GET /pets` with an invalid key is 401', async () => {
    expectError(await client.send({ path: '/pets', key: alteredKey(client.key) }), 401, 'invalid_api_key');
  });
  check('quick', '`GET /pets` is “used as a connectivity check”: it responds within a second', async () => {
    // The machine may be busy at the time: one late response does not make a slow service.
    let quickest = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 5 && quickest >= 1000; tries++) {
      const start = performance.now();
      expectStatus(await client.send({ path: '/pets' }), 200);
      quickest = Math.min(quickest, performance.now() - start);
    }
    ensure(quickest < 1000, 'a response within 1000 ms', `one after ${Math.round(quickest)} ms`);
  });
  check('parameters-ignored', '`GET /pets` ignores query parameters', async () => {
    const plain = await client.send({ path: '/pets' });
    expectSameBody(await client.send({ path: '/pets?status=sold&category=dog&limit=1' }), plain);
  });
  documented('missing-pet', '`GET /pets/{petId}` is 404 for a pet that does not exist', async () => {
    expectError(await client.send({ path: `/pets/${missingId}` }), 404, 'not_found');
  });
  documented('pet-invalid-key', '`GET /pets/{petId}` with an invalid key is 401', async () => {
    expectError(
      await client.send({ path: '/pets/{petId}', key: alteredKey(client.key) }),
      401,
      'invalid_api_key',
    );
  });

  const deprecation = '“`GET /pets/{petId}` is deprecated”: `Deprecation`, `Sunset` and `Link`';
  check('deprecated', `${deprecation} on 200`, async () => {
    const response = await client.send({ path: '/pets/{petId}' });
    expectStatus(response, 200);
    expectDeprecationHeaders(response);
  });
  check('deprecated-401', `${deprecation} on 401, without a key and with an invalid one`, async () => {
    for (const key of [null, alteredKey(client.key)]) {
      const response = await client.send({ path: '/pets/{petId}', key });
      expectStatus(response, 401);
      expectDeprecationHeaders(response);
    }
  });
  check('deprecated-404', `${deprecation} on 404, for a missing pet and an invalid ID`, async () => {
    for (const id of [String(missingId), 'abc', '01']) {
      const response = await client.send({ path: `/pets/${id}` });
      expectStatus(response, 404);
      expectDeprecationHeaders(response);
    }
  });
  check('deprecated-head', `${deprecation} on the response to HEAD`, async () => {
    expectDeprecationHeaders(await client.send({ method: 'HEAD', path: '/pets/{petId}' }));
  });
  check(
    'nothing-else-deprecated',
    'only that operation is deprecated: the others have no `Deprecation` and no `Sunset`',
    async () => {
      for (const call of [
        { path: '/pets' },
        { path: '/store/orders' },
        { path: '/store/orders', key: null },
      ]) {
        const response = await client.send(call);
        expectNoHeader(response, 'Deprecation');
        expectNoHeader(response, 'Sunset');
      }
    },
  );
  levelAll.check('successor', '`Link` names the same pet in v2 as `successor-version`', async () => {
    for (const { id } of (await pets()).slice(0, 3)) {
      const response = await client.send({ path: `/pets/${id}` });
      const [, target = ''] =
        /<([^>]*)>;[^,<]*rel="?successor-version"?/.exec(headerOf(response, 'Link')) ?? [];
      equal(
        new URL(target, client.base).pathname,
        `${client.v2}/pets/${id}`,
        'the successor',
        response.request,
      );
    }
  });

  levelAll.check('successor-of-errors', '`Link` names the same path in v2 on 401 and 404, too', async () => {
    for (const id of ['987654321', '9223372036854775807'])
      for (const key of [client.key, null]) {
        const response = await client.send({ path: `/pets/${id}`, key });
        ensure(
          headerOf(response, 'Link').includes(`${client.v2}/pets/${id}>; rel="successor-version"`),
          `the successor /pets/${id}`,
          response.headers.link,
          response.request,
        );
      }
  });

  const afterSunset = 'from the sunset on, `GET /pets/{petId}` is 410 `gone`, and 200 until then';
  if (staging === undefined)
    levelAll.inconclusive('after-sunset', afterSunset, 'needs --staging-url and --staging-key');
  else {
    levelAll.check('after-sunset', afterSunset, async () => {
      const sendAt = (time: number, path = '/pets/{petId}') => {
        const headers = { Prefer: `now="${new Date(time).toISOString()}"` };
        return staging.client.send({ path, headers, isUnrecorded: true });
      };
      const sunset = Date.parse(headerOf(await staging.client.send({ path: '/pets/{petId}' }), 'Sunset'));
      const before = await sendAt(sunset - 1000);
      if (!('preference-applied' in before.headers))
        throw new Inconclusive('the service does not support `Prefer: now`');
      expectStatus(before, 200);
      // The operation is gone, whatever pet is asked for.
      for (const path of ['/pets/{petId}', `/pets/${missingId}`, '/pets/abc']) {
        for (const time of [sunset, sunset + 86_400_000]) {
          const response = await sendAt(time, path);
          expectError(response, 410, 'gone');
          expectDeprecationHeaders(response);
        }
      }
    });
  }
}
