import { fail } from '../finding.ts';
import { describe, type Fixture } from '../fixture.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, noContent, orders } from '../responses.ts';
import { mustBeForwarded } from './expect.ts';

const group = 'Caches';
const unauthorized = json(401, errorOf(401, 'missing_api_key', 'Send an API key.'), [
  ['www-authenticate', 'Bearer realm="petstore"'],
]);
const notFound = json(404, errorOf(404, 'not_found', 'The requested resource could not be found.'));

/** Returns a function that requests one URL, so that a cache may respond from the second time on. */
const readerOfOneUrl = (fixture: Fixture, path?: string) => {
  const target = fixture.target(path);
  return (key?: string | null) =>
    fixture.send({ path: target, isExact: true, ...(key === undefined ? {} : { key }) });
};

export const caches: readonly Question[] = [
  {
    id: 'keys-apart',
    group,
    requirement: 'does not serve a cached list to another key',
    hint: 'Respects `Cache-Control: private` and `Vary: Authorization`.',
    async run(fixture) {
      const [one, other] = [`${fixture.key}a`, `${fixture.key}b`];
      fixture.respond((reply) => {
        reply.respond(list(reply.request.header('authorization')?.endsWith(one) ? '1' : '2'));
      });
      const read = readerOfOneUrl(fixture);
      mustBeForwarded(await read(one), 200);
      const response = await read(other);
      if (response.text === orders('1')) fail("the second key got the first key's list");
      mustBeForwarded(response, 200, orders('2'));
    },
  },
  {
    id: 'no-key',
    group,
    requirement: 'does not serve a cached list without a key',
    hint: 'Forwards each request: a response belongs to the key that requested it.',
    async run(fixture) {
      fixture.respond((reply) =>
        reply.respond(reply.request.header('authorization') === undefined ? unauthorized : list('1')),
      );
      const read = readerOfOneUrl(fixture);
      mustBeForwarded(await read(), 200);
      const response = await read(null);
      if (response.status === 200) fail("a request without a key got the previous key's list");
      mustBeForwarded(response, 401);
    },
  },
  {
    id: 'change-seen',
    group,
    requirement: 'does not serve a stale list after a change',
    hint: 'Revalidates with the origin on each read, as `no-cache` requires.',
    async run(fixture) {
      let isCancelled = false;
      fixture.respond((reply) => {
        if (reply.request.method === 'DELETE') isCancelled = true;
        reply.respond(
          reply.request.method === 'DELETE' ? noContent : list(...(isCancelled ? ['1'] : ['1', '2'])),
        );
      });
      const read = readerOfOneUrl(fixture);
      mustBeForwarded(await read(), 200, orders('1', '2'));
      await fixture.exchange({ method: 'DELETE', path: '/v1/store/orders/2' });
      const response = await read();
      if (response.text === orders('1', '2'))
        fail('after the cancel, the list still shows the cancelled order');
      mustBeForwarded(response, 200, orders('1'));
    },
  },
  {
    id: 'rejection-not-cached',
    group,
    requirement: 'does not cache 401',
    hint: 'Forwards the next request: its key may be valid.',
    async run(fixture) {
      let isKnown = false;
      fixture.respond((reply) => reply.respond(isKnown ? list('1') : unauthorized));
      const read = readerOfOneUrl(fixture);
      mustBeForwarded(await read(), 401);
      isKnown = true;
      const response = await read();
      if (response.status === 401) fail('after the key became valid, it still got 401');
      mustBeForwarded(response, 200);
    },
  },
  {
    id: 'missing-not-cached',
    group,
    requirement: 'does not cache 404',
    hint: 'Forwards the next request: the order may have been placed since.',
    async run(fixture) {
      let exists = false;
      fixture.respond((reply) => reply.respond(exists ? list('41') : notFound));
      const read = readerOfOneUrl(fixture, '/v2/store/orders/41');
      mustBeForwarded(await read(), 404);
      exists = true;
      const response = await read();
      if (response.status === 404) fail('after the order was placed, reading it still got 404');
      if (response.status !== 200) fail(`the client received ${describe(response)} instead of 200`);
    },
  },
];
