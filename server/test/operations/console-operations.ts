import { expect } from 'vitest';
import {
  createKey,
  firstKey,
  type Member,
  newAddress,
  openBrowser,
  PASSWORD,
  signUpAndIn,
} from '../accounts/browser.ts';
import type { Row } from '../support/engines.ts';
import type { TestService } from '../support/service.ts';
import type { Operation } from './operation.ts';

/** The body that a member sends: none, a fixed one, or one built from the member's data. */
type Body = object | ((member: Member & { readonly key: string }) => object);

const requests: ReadonlyArray<[route: string, status: number, body?: Body]> = [
  ['POST /sign-in', 200, ({ email }) => ({ email, password: PASSWORD })],
  ['POST /open-with-key', 204, ({ key }) => ({ key })],
  ['GET /session', 200],
  ['POST /session', 200],
  ['GET /sessions', 200],
  ['DELETE /sessions/{sessionId}', 204],
  ['GET /events', 200],
  ['GET /keys', 200],
  ['POST /keys', 201, { name: 'another' }],
  ['POST /keys/{keyId}/roll', 201, { overlap: 'now' }],
  ['DELETE /keys/{keyId}', 204],
  ['POST /token', 200],
  ['POST /change-password', 204, { currentPassword: PASSWORD, newPassword: 'marmalade-29-ladder' }],
  ['DELETE /account', 204, { password: PASSWORD }],
  ['POST /sign-out', 204],
  ['POST /sign-out-everywhere', 204],
];

const atConsole = (route: string) => route.replace(' ', ' /console/api');

/** The operations of the console, each by a new member. */
export const consoleOperations: readonly Operation[] = [
  {
    name: 'POST /sign-up',
    route: atConsole('POST /sign-up'),
    status: 200,
    async open(service) {
      const email = newAddress();
      const browser = openBrowser(service);
      return {
        sendRequest: () => browser.send('POST /sign-up', { email, password: PASSWORD }),
        state: () => stateOfNew(service, email),
        next: () => signInAgain(service),
      };
    },
  },
  ...requests.map(([route, status, body]) => ({
    name: route,
    route: atConsole(route),
    status,
    async open(service: TestService) {
      const member = await signUpAndIn(service);
      const { key } = await firstKey(member);
      const { id: keyId } = await createKey(member, { name: 'one' });
      const ids = await idsOf(service, member.email);
      const path = route.replace('{keyId}', keyId).replace('{sessionId}', String(ids.session));
      const sent = typeof body === 'function' ? body({ ...member, key }) : body;
      return {
        sendRequest: () => member.browser.send(path, sent),
        state: () => stateOfMember(service, ids),
        next: () => signInAgain(service),
      };
    },
  })),
];

const unaffectedMembers = new WeakMap<TestService, Promise<Member>>();

/** Verifies that an unaffected member, who signed up earlier, can still sign in. */
async function signInAgain(service: TestService): Promise<void> {
  const member = unaffectedMembers.get(service) ?? signUpAndIn(service);
  unaffectedMembers.set(service, member);
  const { browser, email } = await member;
  expect((await browser.send('POST /sign-in', { email, password: PASSWORD })).status).toBe(200);
}

/** Queried before the operation, to find leftovers of a deleted account. */
async function idsOf({ database }: TestService, email: string): Promise<Row> {
  const [ids] = await database.rows(
    `SELECT accounts.id AS account, sessions.id AS session, stores.id AS store FROM accounts
     JOIN sessions ON account_id = accounts.id JOIN stores ON owner = accounts.id WHERE email = '${email}'`,
  );
  return ids as Row;
}

async function stateOfNew({ database }: TestService, email: string): Promise<unknown> {
  const account = `(SELECT id FROM accounts WHERE email = '${email}')`;
  return [
    await database.rows(`SELECT count(*) AS n FROM accounts WHERE email = '${email}'`),
    await database.rows(`SELECT password FROM credentials WHERE account_id = ${account}`),
    await database.rows(`SELECT what FROM audit WHERE account_id = ${account}`),
  ];
}

async function stateOfMember({ database }: TestService, { account, store }: Row): Promise<unknown> {
  return [
    await database.rows(`SELECT count(*) AS n FROM accounts WHERE id = '${account}'`),
    await database.rows(`SELECT password FROM credentials WHERE account_id = '${account}'`),
    await database.rows(
      `SELECT CASE WHEN key_id IS NULL THEN 'password' ELSE 'key' END AS opened FROM sessions
       WHERE account_id = '${account}' OR key_id IN (SELECT id FROM keys WHERE store_id = ${store}) ORDER BY 1`,
    ),
    await database.rows(
      `SELECT name, scope, expires_at, revoked_at, CASE WHEN session_id IS NULL THEN 0 ELSE 1 END AS short FROM keys
       WHERE store_id = ${store} ORDER BY 1, 2, 3, 4, 5`,
    ),
    await database.rows(`SELECT count(*) AS n FROM stores WHERE id = ${store} AND closed_at IS NULL`),
    await database.rows(`SELECT what FROM audit WHERE account_id = '${account}' ORDER BY 1`),
  ];
}
