import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { at, type Json } from '../document.ts';
import { ensure, equal, expectStatus } from '../expect.ts';

export function versioningChecks(suite: Suite, { client, document }: Context): void {
  const events = suite.section('v1.events', 'Events');
  events.check('none', '“Events, webhooks and notifications: not shown”: v1 documents none', async () => {
    const { webhooks } = await document.read();
    equal(Object.keys(webhooks ?? {}), [], 'the webhooks');
    for (const [name, operation] of await document.operations())
      ensure(!('callbacks' in operation), 'no callbacks', name);
  });

  const limits = suite.section('v1.limits', 'Limits');
  limits.check(
    'fifty-at-once',
    '“Rate limits, quotas …: not shown”: fifty simultaneous requests all get a response',
    async () => {
      const responses = await Promise.all(Array.from({ length: 50 }, () => client.send({ path: '/pets' })));
      for (const response of responses) expectStatus(response, 200);
    },
  );

  const versioning = suite.section('v1.versioning', 'Versioning');
  versioning.check(
    'path-prefix',
    '“The version is carried in the path prefix `/v1` of the base address”: without it there is nothing',
    async () => {
      const { origin } = client.base;
      for (const path of ['/store/orders', '/pets']) {
        const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${client.key}` } });
        equal(response.status, 404, 'status', `GET ${path} outside the base address`);
      }
    },
  );
  versioning.check('number', '“the interface version number is 1.0.0”', async () => {
    equal(at(await document.read(), 'info').version, '1.0.0', 'version');
  });
  versioning.check(
    'no-parameters',
    '“Version 2 is planned to add filtering and pagination”: the list of v1 has no query parameters',
    async () => {
      const list = (await document.operations()).get('get /store/orders');
      const parameters = (list?.parameters ?? []) as Json[];
      equal(
        parameters.filter((parameter) => parameter.in === 'query').length,
        0,
        'the number of query parameters:',
      );
    },
  );
  versioning.check(
    'deprecated',
    '“`GET /pets/{petId}` is deprecated”: marked so in the document, and the only one',
    async () => {
      const deprecated = [...(await document.operations())].filter(
        ([, operation]) => operation.deprecated === true,
      );
      equal(
        deprecated.map(([name]) => name),
        ['get /pets/{petId}'],
        'the deprecated operations',
      );
    },
  );
  versioning.check(
    'sunset-date',
    '“… and is to be withdrawn on a sunset date”: the document states it, 2030-12-05',
    async () => {
      const pet = JSON.stringify((await document.operations()).get('get /pets/{petId}') ?? {});
      ensure(pet.includes('2030-12-05') || /0?5 Dec(ember)? 2030/.test(pet), 'the date', pet);
    },
  );
  versioning.check(
    'stability',
    '“Some endpoints carry a stability marker”: “none is marked on the order endpoints”',
    async () => {
      for (const [name, operation] of await document.operations()) {
        const marker = operation['x-stability'] ?? 'stable';
        equal(marker, 'stable', `the marker of ${name}`);
      }
    },
  );
}
