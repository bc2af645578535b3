import { fail } from '../finding.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, noContent, orders } from '../responses.ts';
import { describe, type Stage } from '../stage.ts';
import { mustBeForwarded } from './expect.ts';

const group = 'Caches';
const unauthorized = json(401, errorOf(401, 'missing_api_key', 'Send an API key.'), [
  ['www-authenticate', 'Bearer realm="petstore"'],
]);
const notFound = json(404, errorOf(404, 'not_found', 'The requested resource could not be found.'));

/** Returns a function that requests one URL, so that a cache may respond from the second time on. */
const readerOfOneUrl = (stage: Stage, path?: string) => {
  const target = stage.target(path);
  return (key?: string | null) =>
    stage.send({ path: target, isExact: true, ...(key === undefined ? {} : { key }) });
};

export const caches: readonly Question[] = [
  {
    id: 'keys-apart',
    group,
    ask: 'does not serve a cached list to another key',
    expectation: 'Respects `Cache-Control: private` and `Vary: Authorization`.',
    async run(stage) {
      const [one, other] = [`${stage.key}a`, `${stage.key}b`];
      stage.respond((reply) => {
        reply.respond(list(reply.request.header('authorization')?.endsWith(one) ? '1' : '2'));
      });
      const read = readerOfOneUrl(stage);
      mustBeForwarded(await read(one), 200);
      const response = await read(other);
      if (response.text === orders('1')) fail("the second key got the first key's list");
      mustBeForwarded(response, 200, orders('2'));
    },
  },
  {
    id: 'no-key',
    group,
    ask: 'does not serve a cached list without a key',
    expectation: 'Forwards each request: a response belongs to the key that requested it.',
    async run(stage) {
      stage.respond((reply) =>
        reply.respond(reply.request.header('authorization') === undefined ? unauthorized : list('1')),
      );
      const read = readerOfOneUrl(stage);
      mustBeForwarded(await read(), 200);
      const response = await read(null);
      if (response.status === 200) fail("a request without a key got the previous key's list");
      mustBeForwarded(response, 401);
    },
  },
  {
    id: 'change-seen',
    group,
    ask: 'does not serve a stale list after a change',
    expectation: 'Revalidates with the origin on each read, as `no-cache` requires.',
    async run(stage) {
      let isCancelled = false;
      stage.respond((reply) => {
        if (reply.request.method === 'DELETE') isCancelled = true;
        reply.respond(
          reply.request.method === 'DELETE' ? noContent : list(...(isCancelled ? ['1'] : ['1', '2'])),
        );
      });
      const read = readerOfOneUrl(stage);
      mustBeForwarded(await read(), 200, orders('1', '2'));
      await stage.exchange({ method: 'DELETE', path: '/v1/store/orders/2' });
      const response = await read();
      if (response.text === orders('1', '2'))
        fail('after the cancel, the list still shows the cancelled order');
      mustBeForwarded(response, 200, orders('1'));
    },
  },
  {
    id: 'rejection-not-cached',
    group,
    ask: 'does not cache 401',
    expectation: 'Forwards the next request: its key may be valid.',
    async run(stage) {
      let isKnown = false;
      stage.respond((reply) => reply.respond(isKnown ? list('1') : unauthorized));
      const read = readerOfOneUrl(stage);
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
    ask: 'does not cache 404',
    expectation: 'Forwards the next request: the order may have been placed since.',
    async run(stage) {
      let exists = false;
      stage.respond((reply) => reply.respond(exists ? list('41') : notFound));
      const read = readerOfOneUrl(stage, '/v2/store/orders/41');
      mustBeForwarded(await read(), 404);
      exists = true;
      const response = await read();
      if (response.status === 404) fail('after the order was placed, reading it still got 404');
      if (response.status !== 200) fail(`the client received ${describe(response)} instead of 200`);
    },
  },
];
