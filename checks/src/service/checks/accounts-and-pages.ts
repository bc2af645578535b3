import { randomUUID } from 'node:crypto';
import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { at } from '../document.ts';
import { ensure, expectStatus, jsonOf } from '../expect.ts';
import { ordersIn } from '../orders.ts';

/** Checks that the pages outside the API state the purpose of the service. */
export function websiteChecks(suite: Suite, { client, v2 }: Context): void {
  const { check } = suite.section('all.pages', 'What the service does: documents and pages');
  const root = client.v2.replace(/\/v2$/, '');

  check(
    'demonstration',
    '“for demonstration only”: document of version 2, `llms.txt` and `/` say so',
    async () => {
      await v2.require();
      const { description } = at(await v2.document.read(), 'info');
      ensure(/demonstration/i.test(String(description)), 'the word “demonstration”', description);
      for (const path of ['/llms.txt', '/']) {
        const response = await client.send({ prefix: root, path, key: null, isUnrecorded: true });
        if (response.status === 404) throw new Inconclusive(`there is no ${path}`);
        ensure(
          /demonstration/i.test(response.text),
          'the word “demonstration”',
          response.text,
          response.request,
        );
      }
    },
  );
}

/** Signs up, creates a key as the console does, uses it, and deletes the account. */
export function signingUpChecks(suite: Suite, { client }: Context): void {
  const { check } = suite.section('all.accounts', 'Authentication: the console');
  const prefix = `${client.v2.replace(/\/v2$/, '')}/console/api`;

  check(
    'signing-up',
    '“A key is obtained by signing up for an account and copying the key from the service’s console.”',
    async () => {
      let cookie = '';
      const call = async (method: string, path: string, body: object) => {
        const headers = { Origin: client.base.origin, 'Content-Type': 'application/json', Cookie: cookie };
        const text = JSON.stringify(body);
        const options = { method, prefix, path, headers, body: text, key: null, isUnrecorded: true };
        const response = await client.send(options);
        const { 'set-cookie': setCookie = '' } = response.headers;
        const cookies = [...setCookie.matchAll(/(?:^|, )([\w-]+=[^;,]+)/g)].map(([, pair]) => pair);
        if (cookies.length > 0) cookie = cookies.join('; ');
        return response;
      };
      const email = `acceptance-${randomUUID()}@example.com`;
      const password = `${randomUUID()} ${randomUUID()}`;
      const signedUp = await call('POST', '/sign-up', { email, password });
      if (signedUp.status === 404) throw new Inconclusive('the service has no console');
      if (signedUp.status === 429)
        throw new Inconclusive('no more accounts can be created from this address today');
      expectStatus(signedUp, 200);
      expectStatus(await call('POST', '/sign-in', { email, password }), 200);
      const created = await call('POST', '/keys', { name: 'acceptance' });
      expectStatus(created, 201);
      const { key } = jsonOf(created, 201) as { key: string };
      try {
        const orders = ordersIn(await client.send({ path: '/store/orders', key, isUnrecorded: true }));
        ensure(orders.length > 0, 'a store with the demo data', orders.length);
      } finally {
        await call('DELETE', '/account', { password });
      }
    },
  );
}
