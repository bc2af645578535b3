import {
  anHourLater,
  becomes,
  inOrders,
  inPath,
  inPets,
  inStatus,
  isOrders,
  isPets,
  type Mutant,
  reversed,
  rounded,
  whenever,
  without,
} from './changes.ts';

/** Mutants of order and pet data. */
export const ofData: readonly Mutant[] = [
  {
    name: 'ids of pets are rounded in the list',
    noticedBy: 'v1.exactness',
    response: inPets((body) => body.replace(/"id":(\d+)/g, (_, id) => `"id":${rounded(id)}`)),
  },
  {
    name: 'ids of orders are rounded in the path',
    noticedBy: 'v1.exactness',
    request: inPath(/(?<=^\/v1\/store\/orders\/)\d+$/, rounded),
  },
  {
    name: 'ids of pets are rounded in the path',
    noticedBy: 'v1.exactness',
    request: inPath(/(?<=^\/v1\/pets\/)\d+$/, rounded),
  },
  {
    name: 'an id beyond 2^53 names nothing',
    noticedBy: 'v1.exactness',
    request: inPath(/(?<=^\/v1\/(store\/orders|pets)\/)\d{16,}$/, () => '987654321'),
  },
  {
    name: 'the largest id is missing from the list',
    noticedBy: 'v1.exactness',
    response: inOrders((body) => body.replace(/,\{"id":9223372036854775807,[^}]*\}/, '')),
  },

  { name: 'dates are off by an hour', noticedBy: 'v1.exactness', response: inOrders(anHourLater) },
  {
    name: 'dates lose their milliseconds',
    noticedBy: 'v1.exactness',
    response: inOrders((body) => body.replace(/\.\d{3}Z/g, '.000Z')),
  },
  {
    name: 'quantities are one too many',
    noticedBy: 'v1.exactness',
    response: inOrders((body) =>
      body.replace(/"quantity":(\d+)/g, (_, units) => `"quantity":${Number(units) + 1}`),
    ),
  },
  {
    name: 'a shipped order is complete',
    noticedBy: 'v1.exactness',
    response: inOrders((body) => body.replaceAll('"complete":false', '"complete":true')),
  },

  {
    name: 'dates end in +00:00',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/Z"/g, '+00:00"')),
  },
  {
    name: 'no order is complete',
    noticedBy: 'v2.orders',
    response: inOrders((body) => body.replaceAll('"complete":true', '"complete":false')),
  },
  {
    name: 'a field is missing',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/"quantity":\d+,/g, '')),
  },
  {
    name: 'fields come in another order',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/("id":\d+),("petId":\d+)/g, '$2,$1')),
  },
  {
    name: 'ids are text',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/"id":(\d+)/g, '"id":"$1"')),
  },
  {
    name: 'quantities have a fraction',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/"quantity":(\d+)/g, '"quantity":$1.0')),
  },
  {
    name: 'two orders share an id',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/"id":2,/, '"id":1,')),
  },
  {
    name: 'an order is for a pet that does not exist',
    noticedBy: 'v1.order',
    response: inOrders((body) => body.replace(/"petId":\d+/, '"petId":999')),
  },

  {
    name: 'the list is wrapped in an object',
    noticedBy: 'v1.list',
    response: inOrders((body) => `{"data":${body}}`),
  },
  {
    name: 'the list has pages',
    noticedBy: 'v1.list',
    response: whenever(
      (_, forwarded) => isOrders(forwarded),
      ({ headers }) => {
        headers.link = '</v1/store/orders?page=2>; rel="next"';
      },
    ),
  },
  {
    name: 'an unknown parameter is refused',
    noticedBy: 'v1.list',
    response: (response, forwarded) => {
      if (isOrders(forwarded) && forwarded.path.includes('?'))
        Object.assign(response, { status: 400, body: '{"code":"bad_request","message":"No.","status":400}' });
    },
  },

  {
    name: 'a pet lacks its category',
    noticedBy: 'v1.pet',
    response: inPets((body) => body.replace(/"category":"[^"]*",/g, '')),
  },
  {
    name: 'a pet shows its stock',
    noticedBy: 'v1.pet',
    response: inPets((body) => body.replace(/"status":/g, '"stock":1,"status":')),
  },
  {
    name: 'the states of pets are in capitals',
    noticedBy: 'v1.pet',
    response: inPets((body) => body.replace(/"(available|sold)"/g, (word) => word.toUpperCase())),
  },
  {
    name: 'a pet is another one than in the list',
    noticedBy: 'v1.pet',
    request: inPath(/^\/v1\/pets\/2$/, () => '/v1/pets/3'),
  },
  { name: 'the pets are descending', noticedBy: 'v1.pets', response: inPets(reversed) },
  { name: 'nothing says when getPet ends', noticedBy: 'v1.pets', response: without('sunset') },
  {
    name: 'getPet ends a day later',
    noticedBy: 'v1.pets',
    response: whenever(
      ({ headers }) => 'sunset' in headers,
      ({ headers }) => {
        headers.sunset = 'Fri, 06 Dec 2030 00:00:00 GMT';
      },
    ),
  },
  {
    name: 'only a pet that is found is deprecated',
    noticedBy: 'v1.pets',
    response: inStatus(404, ({ headers }) => {
      delete headers.deprecation;
    }),
  },
  {
    name: 'listPets is deprecated too',
    noticedBy: 'v1.pets',
    response: whenever(
      (_, forwarded) => isPets(forwarded),
      ({ headers }) => {
        headers.deprecation = '@1794700800';
      },
    ),
  },

  {
    name: 'a leading zero does not matter',
    noticedBy: 'v1.ids',
    request: inPath(/\/0+(?=\d+$)/, () => '/'),
  },
  { name: '`1.0` is 1', noticedBy: 'v1.ids', request: inPath(/(?<=\/\d+)\.0$/, () => '') },
  { name: '`+1` is 1', noticedBy: 'v1.ids', request: inPath(/\/\+(?=\d+$)/, () => '/') },
  {
    name: 'a space before an id does not matter',
    noticedBy: 'v1.ids',
    request: inPath(/\/%20(?=\d+$)/, () => '/'),
  },
  {
    name: 'ids wrap around at 2^64',
    noticedBy: 'v1.ids',
    request: inPath(/(?<=\/)\d+$/, (id) => `${BigInt.asUintN(64, BigInt(id))}`),
  },
  {
    name: 'ids wrap around at 2^32',
    noticedBy: 'v1.ids',
    request: inPath(/(?<=\/)\d+$/, (id) => `${BigInt.asUintN(32, BigInt(id))}`),
  },
  {
    name: 'what is no id is 400',
    noticedBy: 'v1.ids',
    response: (response, { path }) => {
      if (path.endsWith('/abc')) {
        becomes(400)(response);
        response.body = response.body.replace('not_found', 'bad_request');
      }
    },
  },
  {
    name: 'an id is written with an exponent',
    noticedBy: 'v1.ids',
    response: inOrders((body) => body.replace(/"id":(\d+)/g, '"id":$1e0')),
  },

  {
    name: 'no other origin may read',
    noticedBy: 'v1.cors',
    response: without('access-control-allow-origin'),
  },
];
