import { acceptedKeys } from './accepted-keys.ts';
import type { Bug } from './bug.ts';

/** A shortened key works if it has the prefix and all 32 random characters; it lacks some of the 6 of the checksum. */
const MIN_LENGTH = 'Bearer pst_test_'.length + 32;

/** Accepts a rejected key if it is like one that was accepted before. */
const acceptIfLike =
  (isLike: (sent: string, accepted: string) => boolean): Bug['createHooks'] =>
  () => {
    const keys = acceptedKeys();
    return {
      watch: keys.watch,
      async response(response, { path, headers: { authorization } }, callService) {
        if (response.status !== 401 || authorization === undefined) return;
        const key = [...keys.all].find((accepted) => isLike(authorization, accepted));
        if (key) Object.assign(response, await callService(`GET ${path}`, undefined, key));
      },
    };
  };

/** Bugs in authentication, and one that bypasses it. */
export const securityOfKeys: readonly Bug[] = [
  {
    id: 'ended-key-still-works',
    level: 'medium',
    owasp: 'API2:2023',
    operation: 'v1.listPets',
    summary: 'A key still lists pets after it was revoked.',
    hint: 'Revoke a key, then use it again.',
    createHooks() {
      const keys = acceptedKeys();
      let pets = '[]';
      return {
        watch(response, forwarded) {
          keys.watch(response, forwarded);
          if (response.status === 200 && forwarded.path === '/v1/pets') pets = response.body;
        },
        response(response, { headers: { authorization = '' } }) {
          if (response.status !== 401 || !keys.all.has(authorization)) return;
          Object.assign(response, { status: 200, body: pets });
          delete response.headers['www-authenticate'];
        },
      };
    },
  },
  {
    id: 'expired-key-still-works',
    level: 'hard',
    owasp: 'API2:2023',
    operation: 'v2.listPets',
    summary: 'A key still lists pets after it expired.',
    hint: 'On staging, a request can be run at a future time.',
    createHooks: () => ({
      async response(response, { path, headers: { prefer = '' } }, callService) {
        if (response.status !== 401 || !/\bnow=/.test(prefer)) return;
        // Without `Prefer`, the service responds as of now.
        const current = await callService(`GET ${path}`);
        if (current.status === 200) Object.assign(response, current);
      },
    }),
  },
  {
    id: 'cut-key-works',
    level: 'medium',
    owasp: 'API2:2023',
    operation: 'v1.listOrders',
    summary: 'A key works without its last characters.',
    hint: 'An invalid key can look almost valid. Change a valid one slightly.',
    createHooks: acceptIfLike(
      (sent, accepted) =>
        sent.length >= MIN_LENGTH && sent.length < accepted.length && accepted.startsWith(sent),
    ),
  },
  {
    id: 'key-in-capitals-works',
    level: 'medium',
    owasp: 'API2:2023',
    operation: 'v2.listOrders',
    summary: 'Keys are case-insensitive.',
    hint: 'Are keys case-sensitive?',
    createHooks: acceptIfLike(
      (sent, accepted) => sent !== accepted && sent.toLowerCase() === accepted.toLowerCase(),
    ),
  },
  {
    id: 'key-in-query-works',
    level: 'medium',
    owasp: 'API2:2023',
    operation: 'v1.listPets',
    summary: 'A key is accepted in the query string, where logs and browser histories show it.',
    hint: 'Where else do people put keys?',
    createHooks: () => ({
      async response(response, { path, headers }, callService) {
        if (response.status !== 401 || headers.authorization !== undefined) return;
        for (const value of new URLSearchParams(path.split('?')[1]).values()) {
          const other = await callService('GET /v1/pets', undefined, `Bearer ${encodeURIComponent(value)}`);
          if (other.status === 200) return void Object.assign(response, other);
        }
      },
    }),
  },
  {
    id: 'version-0-needs-no-key',
    level: 'hard',
    owasp: 'API9:2023',
    operation: 'v1.listOrders',
    summary: 'The orders are still served as version 0, which is not documented and requires no key.',
    hint: 'What was there before version 1?',
    createHooks() {
      const keys = acceptedKeys();
      return {
        watch: keys.watch,
        intercept({ path }, callService) {
          const key = [...keys.all].at(-1);
          return path.startsWith('/v0/') && key
            ? callService('GET /v1/store/orders', undefined, key)
            : undefined;
        },
      };
    },
  },
];
