import { advise, fail } from '../finding.ts';
import { describe, type Fixture } from '../fixture.ts';
import type { Question } from '../question.ts';
import { list } from '../responses.ts';

const group = 'Requests are forwarded unchanged';

/** The target reaches the origin byte by byte. A gateway may reject unusual ones, but not rewrite them. */
async function mustPass(fixture: Fixture, path: string, { mayReject = false } = {}): Promise<void> {
  const target = fixture.target(path);
  const response = await fixture.send({ path: target, isExact: true });
  const [received] = fixture.received.splice(0);
  if (received) {
    if (received.target !== target) fail(`${target} was sent; the origin received ${received.target}`);
    return;
  }
  const { status = 0 } = response;
  if (mayReject && status >= 300 && status < 500) advise(`responds to ${path} itself, with ${status}`);
  fail(`${target} did not reach the origin: ${describe(response)}`);
}

export const paths: readonly Question[] = [
  {
    id: 'escaped-path',
    group,
    requirement: 'preserves escapes in the path',
    hint: 'Forwards the target as it was sent, without decoding and re-encoding it.',
    run: (fixture) => mustPass(fixture, '/v1/store/orders/a%20b%C3%A9%3Fc%25d'),
  },
  {
    id: 'encoded-slash',
    group,
    requirement: 'does not decode %2F in the path',
    hint: 'Forwards or rejects it: once decoded, the path names a different resource.',
    run: (fixture) => mustPass(fixture, '/v1/store/orders/1%2F2', { mayReject: true }),
  },
  {
    id: 'double-slash',
    group,
    requirement: 'does not merge slashes in the path',
    hint: 'Forwards or rejects it: the service must be able to respond with 404.',
    run: (fixture) => mustPass(fixture, '/v1//store/orders/2', { mayReject: true }),
  },
  {
    id: 'dot-segments',
    group,
    requirement: 'does not resolve .. in the path',
    hint: 'Forwards or rejects it: a resolved path could bypass access rules.',
    run: (fixture) => mustPass(fixture, '/v1/store/orders/1/../2', { mayReject: true }),
  },
  {
    id: 'query',
    group,
    requirement: 'forwards the query',
    hint: 'Forwards every byte of it: `+`, `%2B`, empty and repeated parameters.',
    run: (fixture) =>
      mustPass(
        fixture,
        '/v2/store/orders?status=pending%2Cshipped&a=1+2%2B3&empty=&flag&a=%C3%A9&b%5B%5D=1;2',
      ),
  },
  {
    id: 'long-request',
    group,
    requirement: 'accepts a URL of 4 KB and a header of 4 KB',
    hint: 'Accepts what the service accepts.',
    async run(fixture) {
      const state = 'v'.repeat(4_000);
      const { received } = await fixture.exchange({
        path: `/v2/store/orders?cursor=${'c'.repeat(4_000)}`,
        headers: [['X-State', state]],
      });
      if (received.header('x-state') !== state) fail('the header of 4 KB was changed');
    },
  },
  {
    id: 'methods',
    group,
    requirement: 'forwards every method',
    hint: 'Forwards GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS and QUERY.',
    async run(fixture) {
      fixture.respond(list());
      const rejected: string[] = [];
      let advice: string | undefined;
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
        const withBody = ['POST', 'PUT', 'PATCH', 'QUERY'].includes(method) ? { body: '{}' } : {};
        const response = await fixture.send({
          method,
          headers: [['Content-Type', 'application/json']],
          ...withBody,
        });
        const [received] = fixture.received.splice(0);
        // A cache may fetch the whole response, and send only its headers.
        const isFetched = method === 'HEAD' && received?.method === 'GET';
        if (isFetched) advice = 'sends GET to the origin for HEAD';
        else if (received && received.method !== method)
          fail(`${method} was sent; the origin received ${received.method}`);
        if (received) continue;
        if (method !== 'QUERY' && method !== 'OPTIONS')
          fail(`${method} did not reach the origin: ${describe(response)}`);
        rejected.push(`${method} itself (${describe(response)})`);
      }
      if (rejected.length > 0) advise(`responds to ${rejected.join(' and ')}`);
      if (advice !== undefined) advise(advice);
    },
  },
];
