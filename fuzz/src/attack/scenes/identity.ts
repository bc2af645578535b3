import { newKey } from '../../../../server/src/keys/manage-keys.ts';
import { createRevokedKey, requestJson, sendRequest, signUp, signUpAndIn } from '../../walk/accounts.ts';
import { attempt, countStatuses, runClients } from '../clients.ts';
import { MAX_MS, production, type Scene, times } from '../scene.ts';

/** Two passwords are hashed at a time, each with this much memory. */
const HASHING = 2 * 34;
const SIGN_IN_TIMEOUT_MS = 5_000;
/** Far more than a client with a wrong key would try in a minute. */
const MAX_REJECTED = 1_500;

export const identity: readonly Scene[] = [
  {
    name: '{n} accounts that sign in repeatedly with the correct password from a known browser, while another user signs in',
    count: 8,
    allowedMegabytes: () => HASHING,
    async prepare(program, count) {
      const { origin } = production(program);
      const logins = await Promise.all(
        times(count, async () => {
          const credentials = await signUp(origin);
          const path = '/console/api/sign-in';
          const response = await sendRequest(origin, path, { method: 'POST', body: credentials });
          const cookie = response.headers
            .getSetCookie()
            .map((text) => text.split(';')[0])
            .join('; ');
          return { body: JSON.stringify(credentials), headers: { cookie } };
        }),
      );
      const other = await signUp(origin);
      return async () => {
        let isOver = false;
        const statuses: number[] = [];
        const attackers = logins.map(async (login) => {
          while (!isOver)
            statuses.push(
              (await attempt(origin, '/console/api/sign-in', { method: 'POST', ...login })).status,
            );
        });
        let worst = 0;
        const others: number[] = [];
        const until = performance.now() + MAX_MS / 2;
        while (performance.now() < until) {
          const from = performance.now();
          const { status } = await sendRequest(origin, '/console/api/sign-in', {
            method: 'POST',
            body: other,
          });
          others.push(status);
          worst = Math.max(worst, performance.now() - from);
        }
        isOver = true;
        await Promise.all(attackers);
        return {
          text: `${countStatuses(statuses)}; the other ${countStatuses(others)}, ${Math.round(worst)} ms at worst`,
          problem:
            worst > SIGN_IN_TIMEOUT_MS || others.includes(503)
              ? 'correct passwords delay another user'
              : undefined,
        };
      };
    },
  },
  {
    name: '{n} requests with well-formed, made-up keys',
    count: 10_000,
    allowedMegabytes: () => 16,
    async prepare(program, count) {
      const { origin } = production(program);
      const keys = times(count, () => newKey('production', 'attack').key);
      return async () => {
        const responses = await runClients(64, count, (index) =>
          attempt(origin, '/v1/pets', { key: keys[index] ?? '' }),
        );
        const lookedUp = responses.filter(({ status }) => status === 401).length;
        return {
          text: countStatuses(responses.map(({ status }) => status)),
          // Twice: the limit's minute may end in between.
          problem: lookedUp > 2 * MAX_REJECTED ? 'made-up keys are looked up without a limit' : undefined,
        };
      };
    },
  },
  {
    name: '{n} requests with a revoked key, and how the inspector lists them',
    count: 300,
    allowedMegabytes: () => 16,
    async prepare(program, count) {
      const { origin } = production(program);
      const person = await signUpAndIn(origin);
      const revoked = await createRevokedKey(person);
      return async () => {
        await requestJson(origin, '/v1/pets', { key: person.key });
        await runClients(8, count, () => attempt(origin, '/v1/pets/1', { key: revoked }));
        // Requests are written in batches, with a delay.
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const { data } = await requestJson<{ data: Array<{ path: string; status: number }> }>(
          origin,
          '/v2/store/requests?limit=200',
          { key: person.key },
        );
        const own = data.filter(({ status }) => status === 200).length;
        return {
          text: `${data.length} shown, ${own} of them with a valid key`,
          problem: own === 0 ? 'a revoked key displaces all other requests' : undefined,
        };
      };
    },
  },
];
