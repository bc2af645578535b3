import { acceptedKeys } from './accepted-keys.ts';
import type { Bug } from './bug.ts';
import { readJson, succeed } from './mutations.ts';

interface Summary {
  readonly orders: Record<string, number>;
}

/** Authorization: what a key may see and change. */
export const securityOfStores: readonly Bug[] = [
  {
    id: 'order-of-another-store-is-shown',
    level: 'easy',
    owasp: 'API1:2023',
    operation: 'v2.getOrder',
    summary: 'An order that is missing from the store is looked up in other stores.',
    hint: "Use one store's key to request the other store's orders.",
    createHooks() {
      const keys = acceptedKeys();
      return {
        watch: keys.watch,
        async response(response, forwarded, callService) {
          if (response.status !== 404) return;
          for (const key of await keys.ofOtherStores(forwarded, callService)) {
            const other = await callService(`GET ${forwarded.path}`, undefined, key);
            if (other.status === 200) return void Object.assign(response, other);
          }
        },
      };
    },
  },
  {
    id: 'order-of-another-store-is-cancelled',
    level: 'medium',
    owasp: 'API1:2023',
    operation: 'v1.cancelOrder',
    summary: 'An order that is not in the store is cancelled in another store.',
    hint: 'Reading is not the only operation that takes an id.',
    createHooks() {
      const keys = acceptedKeys();
      return {
        watch: keys.watch,
        async response(response, forwarded, callService) {
          if (response.status !== 404) return;
          for (const key of await keys.ofOtherStores(forwarded, callService)) {
            const { status } = await callService(`DELETE ${forwarded.path}`, undefined, key);
            if (status === 204) return succeed(response);
          }
        },
      };
    },
  },
  {
    id: 'orders-of-other-stores-are-counted',
    level: 'hard',
    owasp: 'API1:2023',
    operation: 'v2.getSummary',
    summary: 'The summary includes the orders of other stores.',
    hint: 'A total can leak what a list hides.',
    createHooks() {
      const keys = acceptedKeys();
      return {
        watch: keys.watch,
        async response(response, forwarded, callService) {
          if (response.status !== 200) return;
          const summary = readJson(response.body) as Summary;
          for (const key of await keys.ofOtherStores(forwarded, callService)) {
            const other = readJson(
              (await callService(`GET ${forwarded.path}`, undefined, key)).body,
            ) as Summary;
            for (const [status, count] of Object.entries(other.orders))
              summary.orders[status] = (summary.orders[status] ?? 0) + count;
          }
          response.body = JSON.stringify(summary);
        },
      };
    },
  },
  {
    id: 'read-only-key-cancels',
    level: 'medium',
    owasp: 'API5:2023',
    operation: 'v2.cancelOrder',
    summary: 'A read-only key can cancel orders.',
    hint: 'Keys have permissions.',
    createHooks() {
      const keys = acceptedKeys();
      return {
        watch: keys.watch,
        async response(response, forwarded, callService) {
          if (response.status !== 403) return;
          const [key] = await keys.ofSameStore(forwarded, callService);
          const { path } = forwarded;
          // Without another key, nothing is cancelled, but an existing order gets 204.
          const other = await (key
            ? callService(`DELETE ${path}`, undefined, key)
            : callService(`GET ${path}`));
          if (other.status < 300) succeed(response);
          else Object.assign(response, other);
        },
      };
    },
  },
];
