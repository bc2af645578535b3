import { CannotProve, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { headerOf, holds } from '../../expect.ts';
import { sectionOf } from './section.ts';

export function rateLimitChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'limits', 'rate limits');

  check(
    'headers',
    '`RateLimit` and `RateLimit-Policy` on every response if there is a limit, counting down',
    async () => {
      const responses = [];
      for (const path of ['/store/orders?limit=1', '/pets/987654321', '/store/orders?limit=0', '/nothing']) {
        responses.push(await v2.get(path), await client.send({ path: '/pets' }));
      }
      const isOn = responses.some(({ headers }) => 'ratelimit' in headers || 'ratelimit-policy' in headers);
      if (!isOn) throw new CannotProve('no limit is on');
      const left = responses.map((response) => {
        const policy = headerOf(response, 'RateLimit-Policy');
        holds(
          /^"[^"]+";q=\d+;w=\d+$/.test(policy),
          'RateLimit-Policy: "…";q=…;w=…',
          policy,
          response.request,
        );
        const limit = headerOf(response, 'RateLimit');
        const [, rest] = /^"[^"]+";r=(\d+);t=\d+$/.exec(limit) ?? [];
        holds(rest !== undefined, 'RateLimit: "…";r=…;t=…', limit, response.request);
        return Number(rest);
      });
      const [first = 0, second = 0] = left;
      holds(second !== first, `not ${first} again`, second);
    },
  );
}
