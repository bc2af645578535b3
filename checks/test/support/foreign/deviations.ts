import type { Foreign, Held, Reply } from './service.ts';

/** One thing that a service does against the specification, and the check of level `spec` that must fail. */
export interface Deviation {
  readonly name: string;
  readonly fails: string;
  readonly change: (service: Foreign) => void;
}

/** Changes every order that is shown. */
const shows =
  (change: (order: Record<string, unknown>, held: Held) => unknown) =>
  (service: Foreign): void => {
    const { show } = service;
    service.show = (held) => {
      const order = { ...(show(held) as Record<string, unknown>) };
      return change(order, held) ?? order;
    };
  };

/** Sets a field of every order. */
const sets = (field: string, value: unknown) =>
  shows((order) => void Object.assign(order, { [field]: value }));

/** Changes the responses with this status. */
const inStatus =
  (status: number, change: (reply: Reply) => unknown) =>
  (service: Foreign): void => {
    service.finish = (reply) => {
      if (reply.status === status) change(reply);
      return reply;
    };
  };

/** Changes every Error object. */
const inErrors = (change: (body: Record<string, unknown>) => unknown) => (service: Foreign) => {
  const { error } = service;
  service.error = (status, message) => {
    const reply = error(status, message);
    const body = reply.body as Record<string, unknown>;
    reply.body = change(body) ?? body;
    return reply;
  };
};

/** Leaves an operation unprotected. */
const open = (method: string, path: RegExp) => (service: Foreign) => {
  service.isProtected = (request, url) => !(request.method === method && path.test(url.pathname));
};

/** Accepts every key for an operation. */
const anyKey = (method: string, path: RegExp) => (service: Foreign) => {
  const { isKey } = service;
  let isOpen = false;
  const { keyOf } = service;
  service.keyOf = (request, url) => {
    isOpen = request.method === method && path.test(url.pathname);
    return keyOf(request, url);
  };
  service.isKey = (key) => isKey(key) || (isOpen && key !== '');
};

const also =
  (read: (request: Parameters<Foreign['keyOf']>[0], url: URL) => string | undefined) =>
  (service: Foreign): void => {
    const { keyOf } = service;
    service.keyOf = (request, url) => keyOf(request, url) || (read(request, url) ?? '');
  };

const orders = /\/store\/orders$/;
const order = /\/store\/orders\/./;
const pets = /\/pets$/;
const pet = /\/pets\/./;

const cancels = (change: (service: Foreign, held: Held) => unknown) => (service: Foreign) => {
  const { cancel } = service;
  service.cancel = (held) => {
    cancel(held);
    change(service, held);
  };
};

/** Handles the cancellation of an order that is not pending in another way. */
const rejects = (reply: (service: Foreign, held: Held) => Reply) => (service: Foreign) => {
  const { cancelOrder } = service;
  service.cancelOrder = (id, url, request) => {
    const held = service.find(id);
    return held && held.state !== 'pending' ? reply(service, held) : cancelOrder(id, url, request);
  };
};

const missing = (reply: Reply) => (service: Foreign) => {
  const { cancelOrder } = service;
  service.cancelOrder = (id, url, request) => (service.find(id) ? cancelOrder(id, url, request) : reply);
};

const findsBy = (change: (id: string) => string) => (service: Foreign) => {
  const { find } = service;
  service.find = (id) => find(/^\d+$/.test(id) ? change(id) : id);
};

const lists = (change: (shown: unknown[], url: URL) => unknown) => (service: Foreign) => {
  const { listOrders } = service;
  service.listOrders = (url, request) => {
    const reply = listOrders(url, request);
    return { ...reply, body: change(reply.body as unknown[], url) };
  };
};

export const deviations: readonly Deviation[] = [
  {
    name: 'the list is HTML',
    fails: 'spec.service.http-json',
    change: (service) => {
      service.listOrders = () => ({ status: 200, text: '<ul/>', headers: { 'Content-Type': 'text/html' } });
    },
  },
  {
    name: 'orders are under /orders',
    fails: 'spec.service.prefix',
    change: (service) => {
      const { listOrders } = service;
      service.listOrders = (url, request) =>
        url.pathname.includes('/store/') ? service.error(404, 'It is at /orders.') : listOrders(url, request);
    },
  },
  { name: 'the list is an object', fails: 'spec.service.lists', change: lists((data) => ({ data })) },
  {
    name: 'nothing can be cancelled',
    fails: 'spec.service.cancels',
    change: (service) => {
      service.cancelOrder = () => service.error(405, 'Come to the desk.');
    },
  },
  {
    name: 'every order has shipped already',
    fails: 'spec.service.cancels',
    change: (service) => {
      for (const held of service.orders) held.state = 'shipped';
    },
  },
  {
    name: 'the base address has no version',
    fails: 'spec.service.base-address',
    change: (service) => {
      service.prefix = '/shop';
    },
  },
  {
    name: 'there is no GET /pets/{petId}',
    fails: 'spec.service.pets',
    change: (service) => {
      service.getPet = () => service.error(404, 'There is nothing.');
    },
  },
  {
    name: 'GET /pets fails',
    fails: 'spec.pets.connectivity',
    change: (service) => {
      service.listPets = () => service.error(500, 'CallService later.');
    },
  },
  {
    name: 'the pets are elsewhere',
    fails: 'spec.endpoints.base-address',
    change: (service) => {
      service.listPets = () => service.error(404, 'They are at /animals.');
    },
  },

  { name: 'an order is its id', fails: 'spec.order.object', change: shows((_, { id }) => id) },
  {
    name: 'ids are text of digits',
    fails: 'spec.order.id',
    change: shows((order) => Object.assign(order, { id: String(order.id) })),
  },
  {
    name: 'ids have a fraction',
    fails: 'spec.order.id',
    change: shows((order) => Object.assign(order, { id: Number(order.id) + 0.5 })),
  },
  { name: 'an id is larger than an int64', fails: 'spec.order.id', change: sets('id', 2 ** 64) },
  { name: 'two orders share one id', fails: 'spec.order.unique-id', change: sets('id', 40) },
  { name: 'petId is text', fails: 'spec.order.pet-id', change: sets('petId', '9') },
  { name: 'petId is the pet', fails: 'spec.order.pet-id', change: sets('petId', { id: 9 }) },
  { name: 'quantity is text', fails: 'spec.order.quantity', change: sets('quantity', '3') },
  { name: 'quantity has a fraction', fails: 'spec.order.quantity', change: sets('quantity', 1.5) },
  { name: 'quantity is negative', fails: 'spec.order.quantity', change: sets('quantity', -1) },
  { name: 'shipDate is a day', fails: 'spec.order.ship-date', change: sets('shipDate', '2031-02-03') },
  {
    name: 'shipDate has no offset',
    fails: 'spec.order.ship-date',
    change: sets('shipDate', '2031-02-03T04:05:06'),
  },
  { name: 'shipDate is a number', fails: 'spec.order.ship-date', change: sets('shipDate', 1_900_000_000) },
  {
    name: 'shipDate does not exist',
    fails: 'spec.order.ship-date',
    change: sets('shipDate', '2031-02-30T04:05:06Z'),
  },
  { name: 'shipDate is null', fails: 'spec.order.ship-date', change: sets('shipDate', null) },
  { name: 'complete is text', fails: 'spec.order.complete', change: sets('complete', 'no') },
  { name: 'complete is a number', fails: 'spec.order.complete', change: sets('complete', 0) },

  {
    name: 'an Error lacks code',
    fails: 'spec.error.three-fields',
    change: inErrors((body) => void delete body.code),
  },
  {
    name: 'an Error lacks message',
    fails: 'spec.error.three-fields',
    change: inErrors((body) => void delete body.message),
  },
  {
    name: 'an Error lacks status',
    fails: 'spec.errors.error-object',
    change: inErrors((body) => void delete body.status),
  },
  {
    name: 'an Error is wrapped',
    fails: 'spec.errors.error-object',
    change: inErrors((error) => ({ error })),
  },
  {
    name: 'code is a number',
    fails: 'spec.error.code',
    change: inErrors((body) => Object.assign(body, { code: 401 })),
  },
  {
    name: 'message is empty',
    fails: 'spec.error.message',
    change: inErrors((body) => Object.assign(body, { message: '' })),
  },
  {
    name: 'status is text',
    fails: 'spec.error.status',
    change: inErrors((body) => Object.assign(body, { status: String(body.status) })),
  },
  {
    name: 'status is another one',
    fails: 'spec.error.status',
    change: inErrors((body) => Object.assign(body, { status: 400 })),
  },
  {
    name: 'the status of 409 is another one',
    fails: 'spec.errors.status',
    change: inStatus(409, (reply) => Object.assign(reply.body as object, { status: 400 })),
  },

  {
    name: 'a cancelled order stays pending',
    fails: 'spec.states.pending-cancelled',
    change: (service) => {
      service.cancel = () => {};
    },
  },
  {
    name: '204 has a body',
    fails: 'spec.cancel.204',
    change: inStatus(204, (reply) => Object.assign(reply, { text: 'gone' })),
  },
  {
    name: 'a cancellation is 200 with the order',
    fails: 'spec.states.pending',
    change: inStatus(204, (reply) => Object.assign(reply, { status: 200, body: { id: 1 } })),
  },
  {
    name: 'a cancellation changes another order',
    fails: 'spec.states.only-that-one',
    change: cancels(({ orders: held }) => void Object.assign(held[0]?.shown ?? {}, { quantity: 77 })),
  },
  {
    name: 'a cancellation removes all orders',
    fails: 'spec.cancel.one-order',
    change: cancels(({ orders: held }) => void held.splice(0)),
  },
  {
    name: 'a shipped order can be cancelled',
    fails: 'spec.states.shipped-rejected',
    change: rejects((service, held) => {
      service.cancel(held);
      return { status: 204 };
    }),
  },
  {
    name: 'a shipped order is 400',
    fails: 'spec.cancel.409',
    change: rejects((service) => service.error(400, 'No.')),
  },
  {
    name: 'a shipped order is 404',
    fails: 'spec.errors.409',
    change: rejects((service) => service.error(404, 'No.')),
  },
  {
    name: 'a rejected order is removed',
    fails: 'spec.states.shipped-unchanged',
    change: rejects((service, held) => {
      service.cancel(held);
      return service.error(409, 'No.');
    }),
  },
  {
    name: 'a rejected order is removed at the second attempt',
    fails: 'spec.states.rejected-again',
    change: (service) => {
      const seen = new Set<Held>();
      rejects((_, held) => {
        if (seen.has(held)) service.cancel(held);
        return seen.size === seen.add(held).size ? { status: 204 } : service.error(409, 'No.');
      })(service);
    },
  },
  {
    name: 'complete orders after the first can be cancelled',
    fails: 'spec.states.only-pending',
    change: (service) =>
      rejects((_, held) => (held === service.orders[4] ? { status: 204 } : service.error(409, 'No.')))(
        service,
      ),
  },
  {
    name: 'a cancellation without a key is made, and then 401',
    fails: 'spec.states.unauthorized',
    change: (service) => {
      const { finish } = service;
      service.finish = (reply, request, url) => {
        const held = service.find(url.pathname.split('/').at(-1) ?? '');
        if (reply.status === 401 && request.method === 'DELETE' && held?.state === 'pending')
          service.cancel(held);
        return finish(reply, request, url);
      };
    },
  },

  ...(
    [
      ['listOrders', 'GET', orders],
      ['cancelOrder', 'DELETE', order],
      ['listPets', 'GET', pets],
      ['getPet', 'GET', pet],
    ] as const
  ).flatMap(([name, method, path]) => [
    {
      name: `${name} needs no key`,
      fails: `spec.authentication.requires-key.${name}`,
      change: open(method, path),
    },
    {
      name: `${name} takes any key`,
      fails: `spec.authentication.invalid-key.${name}`,
      change: anyKey(method, path),
    },
  ]),
  { name: 'the list needs no key', fails: 'spec.list.missing-key', change: open('GET', orders) },
  { name: 'the list takes any key', fails: 'spec.list.invalid-key', change: anyKey('GET', orders) },
  { name: 'a cancellation needs no key', fails: 'spec.cancel.missing-key', change: open('DELETE', order) },
  { name: 'a cancellation takes any key', fails: 'spec.cancel.invalid-key', change: anyKey('DELETE', order) },
  { name: 'a pet takes any key', fails: 'spec.pets.pet-invalid-key', change: anyKey('GET', pet) },
  { name: 'the pets take any key', fails: 'spec.pets.invalid-key', change: anyKey('GET', pets) },
  { name: 'every operation takes any key', fails: 'spec.errors.401', change: anyKey('GET', /./) },
  {
    name: 'the pets want another key',
    fails: 'spec.authentication.bearer-header',
    change: (service) => {
      service.listPets = () => service.error(401, 'Show your other key.');
    },
  },
  {
    name: 'the key alone is taken',
    fails: 'spec.authentication.other-scheme',
    change: also(({ headers }) => headers.authorization),
  },
  {
    name: 'the key is taken from Basic',
    fails: 'spec.authentication.other-scheme',
    change: also(({ headers }) =>
      Buffer.from(/^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64')
        .toString()
        .replace(':', ''),
    ),
  },
  {
    name: 'the key is taken from the query',
    fails: 'spec.authentication.other-place',
    change: also((_, url) => url.searchParams.get('api_key') ?? ''),
  },
  {
    name: 'the key is taken from X-API-Key',
    fails: 'spec.authentication.other-place',
    change: also(({ headers }) => headers['x-api-key']?.toString()),
  },
  {
    name: 'the key is taken from a cookie',
    fails: 'spec.authentication.other-place',
    change: also(({ headers }) => /token=([^;]+)/.exec(headers.cookie ?? '')?.[1]),
  },
  {
    name: 'the beginning of a key is enough',
    fails: 'spec.authentication.whole-key',
    change: (service) => {
      service.isKey = (key) => key.startsWith('sho');
    },
  },
  {
    name: 'more than the key is taken',
    fails: 'spec.authentication.whole-key',
    change: (service) => {
      service.isKey = (key) => key.includes('shop.7');
    },
  },

  {
    name: 'a success is text',
    fails: 'spec.endpoints.success-is-json',
    change: inStatus(200, (reply) => Object.assign(reply, { headers: { 'Content-Type': 'text/plain' } })),
  },
  {
    name: 'errors are text',
    fails: 'spec.endpoints.errors-are-json',
    change: inStatus(404, (reply) => Object.assign(reply, { headers: { 'Content-Type': 'text/plain' } })),
  },
  { name: 'an element is no order', fails: 'spec.list.array', change: lists((shown) => [...shown, 'more']) },
  { name: 'the list ends after five', fails: 'spec.list.all', change: lists((shown) => shown.slice(0, 5)) },
  {
    name: 'the list lacks an order every other time',
    fails: 'spec.list.all',
    change: (service) => {
      let count = 0;
      lists((shown) => shown.slice(count++ % 2))(service);
    },
  },
  {
    name: 'the list has pages',
    fails: 'spec.list.parameters',
    change: lists((shown, url) => (url.searchParams.has('page') ? [] : shown)),
  },
  {
    name: 'the list has a limit',
    fails: 'spec.list.parameters',
    change: lists((shown, url) => shown.slice(0, Number(url.searchParams.get('limit') ?? 99))),
  },
  {
    name: 'the list is filtered',
    fails: 'spec.list.parameters',
    change: lists((shown, url) => (url.searchParams.get('complete') === 'true' ? shown.slice(0, 1) : shown)),
  },
  {
    name: 'the list links to a next page',
    fails: 'spec.list.one-array',
    change: inStatus(200, (reply) =>
      Object.assign(reply, { headers: { Link: '</shop/v1/store/orders?page=2>; rel="next"' } }),
    ),
  },
  {
    name: 'the list needs a path parameter',
    fails: 'spec.list.plain',
    change: (service) => {
      service.listOrders = () => service.error(404, 'Name the list.');
    },
  },
  {
    name: 'the list needs a body',
    fails: 'spec.list.plain',
    change: (service) => {
      const { listOrders } = service;
      service.listOrders = (url, request) =>
        'content-length' in request.headers ? listOrders(url, request) : service.error(411, 'Send a body.');
    },
  },
  {
    name: 'the list needs Accept',
    fails: 'spec.list.plain',
    change: (service) => {
      const { listOrders } = service;
      service.listOrders = (url, request) =>
        request.headers.accept ? listOrders(url, request) : service.error(406, 'Say what you accept.');
    },
  },
  {
    name: 'a cancellation needs a body',
    fails: 'spec.cancel.plain',
    change: (service) => {
      service.cancelOrder = () => service.error(400, 'Say why.');
    },
  },
  { name: 'a missing order is 204', fails: 'spec.cancel.404', change: missing({ status: 204 }) },
  {
    name: 'a missing order is 400',
    fails: 'spec.errors.404',
    change: (service) => missing(service.error(400, 'No.'))(service),
  },
  {
    name: 'ids are 32 bits',
    fails: 'spec.cancel.int64',
    change: findsBy((id) => String(BigInt.asUintN(32, BigInt(id)))),
  },
  {
    name: 'large ids are an error of the service',
    fails: 'spec.cancel.int64',
    change: (service) => {
      const { cancelOrder } = service;
      service.cancelOrder = (id, url, request) =>
        id.length > 15 ? service.error(500, 'Too long.') : cancelOrder(id, url, request);
    },
  },
  {
    name: 'text in the place of an id is an error in plain text',
    fails: 'spec.cancel.not-an-integer',
    change: (service) => {
      const { cancelOrder } = service;
      service.cancelOrder = (id, url, request) =>
        id === 'abc' ? { status: 400, text: 'no id' } : cancelOrder(id, url, request);
    },
  },
  {
    name: 'a parameter cancels a shipped order',
    fails: 'spec.cancel.parameters',
    change: (service) => {
      const { cancelOrder } = service;
      service.cancelOrder = (id, url, request) =>
        url.searchParams.has('force') ? { status: 204 } : cancelOrder(id, url, request);
    },
  },
  {
    name: '409 is no Error',
    fails: 'spec.cancel.409-body',
    change: inStatus(409, (reply) => Object.assign(reply, { body: 'shipped' })),
  },
];
