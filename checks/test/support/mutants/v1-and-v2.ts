import { editJson, idIn } from '../../../src/bugs/mutations.ts';
import { inStatus, isOrders, type Mutant, rounded, whenever } from './changes.ts';

const inHeader = (name: string, change: (value: string) => string) =>
  whenever(
    ({ headers }) => name in headers,
    ({ headers }) => {
      headers[name] = change(headers[name] ?? '');
    },
  );
const withoutOrigin = (status: number) =>
  inStatus(status, ({ headers }) => {
    delete headers['access-control-allow-origin'];
  });

/** Mutants that only affect details of version 1, or its interplay with version 2 and staging. */
export const mutantsOfBothVersions: readonly Mutant[] = [
  {
    name: '`petId` is rounded in the list',
    noticedBy: 'v1.exactness',
    operation: 'v1.listOrders',
    response: inStatus(200, (response) => {
      response.body = response.body.replace(/"petId":(\d+)/g, (_, id) => `"petId":${rounded(id)}`);
    }),
  },
  {
    name: 'an order cancelled through version 2 is still listed',
    noticedBy: 'v1.states',
    ...listsOrdersCancelledByV2(),
  },
  {
    name: 'getPet still responds after its sunset',
    noticedBy: 'v1.pets.after-sunset',
    operation: 'v1.getPet',
    request: ({ headers }) => {
      delete headers.prefer;
    },
    head: ({ headers }, forwarded) => {
      if (forwarded.headers.prefer) headers['preference-applied'] = forwarded.headers.prefer;
    },
  },
  {
    name: 'getPet is gone a second too early',
    noticedBy: 'v1.pets.after-sunset',
    operation: 'v1.getPet',
    request: ({ headers }) => {
      if (headers.prefer) headers.prefer = headers.prefer.replace(/2030-12-04T[^"]*/, '2030-12-05T00:00:00Z');
    },
  },
  {
    name: '503 has no `Retry-After`',
    noticedBy: 'v1.errors',
    response: inStatus(503, ({ headers }) => {
      delete headers['retry-after'];
    }),
  },
  {
    name: '429 has no `Retry-After`',
    noticedBy: 'v1.errors',
    response: inStatus(429, ({ headers }) => {
      delete headers['retry-after'];
    }),
  },
  { name: 'no other origin may read a 409', noticedBy: 'v1.cors', response: withoutOrigin(409) },
  { name: 'no other origin may read a 304', noticedBy: 'v1.cors', response: withoutOrigin(304) },
  {
    name: 'a preflight does not allow `Idempotency-Key`',
    noticedBy: 'v1.cors',
    response: inHeader('access-control-allow-headers', (names) => names.replace('Idempotency-Key, ', '')),
  },
  {
    name: 'a cache may mix up keys',
    noticedBy: 'v1.caching',
    response: inHeader('vary', (names) => names.replace('Authorization, ', '')),
  },
  {
    name: 'the successor of every pet is the first',
    noticedBy: 'v1.pets',
    response: inHeader('link', (links) => links.replace(/\/v2\/pets\/\d+/, '/v2/pets/1')),
  },
  {
    name: 'errors are in Latin-1',
    noticedBy: 'v1.errors',
    response: whenever(
      ({ status }) => status >= 400,
      ({ headers }) => {
        headers['content-type'] = 'application/json; charset=iso-8859-1';
      },
    ),
  },
];

/** Lists orders that were cancelled through version 2. */
function listsOrdersCancelledByV2(): Pick<Mutant, 'response'> {
  const cancelled = new Set<string>();
  return {
    async response(response, forwarded, callService) {
      if (
        forwarded.method === 'DELETE' &&
        forwarded.path.startsWith('/v2/store/orders/') &&
        response.status === 204
      ) {
        cancelled.add(idIn(forwarded.path));
      }
      if (!isOrders(forwarded) || response.status !== 200) return;
      for (const id of cancelled) {
        const {
          id: orderId,
          petId,
          quantity,
          shipDate,
          complete,
        } = JSON.parse((await callService(`GET /v2/store/orders/${id}`)).body);
        const order = { id: orderId, petId, quantity, shipDate, complete };
        editJson<unknown[]>(200, (orders) => [...orders, order]).response?.(response, forwarded, callService);
      }
    },
  };
}
