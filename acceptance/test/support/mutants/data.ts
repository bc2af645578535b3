import {
  anHourLater,
  becomes,
  cors,
  exactness,
  identifiers,
  inOrders,
  inPath,
  inPets,
  inStatus,
  isOrders,
  isPets,
  list,
  type Mutant,
  order,
  pet,
  reversed,
  rounded,
  whenever,
  without,
} from './changes.ts';

/** What is told of orders and pets. */
export const ofData: readonly Mutant[] = [
  {
    name: 'ids of orders are rounded in the list',
    section: exactness,
    needsSandbox: true,
    answer: inOrders((body) => body.replace(/"id":(\d+)/g, (_, id) => `"id":${rounded(id)}`)),
  },
  {
    name: 'ids of pets are rounded in the list',
    section: exactness,
    needsSandbox: true,
    answer: inPets((body) => body.replace(/"id":(\d+)/g, (_, id) => `"id":${rounded(id)}`)),
  },
  {
    name: 'ids of orders are rounded in the path',
    section: exactness,
    needsSandbox: true,
    request: inPath(/(?<=^\/v1\/store\/orders\/)\d+$/, rounded),
  },
  {
    name: 'ids of pets are rounded in the path',
    section: exactness,
    needsSandbox: true,
    request: inPath(/(?<=^\/v1\/pets\/)\d+$/, rounded),
  },
  {
    name: 'an id beyond 2^53 names nothing',
    section: exactness,
    needsSandbox: true,
    request: inPath(/(?<=^\/v1\/(store\/orders|pets)\/)\d{16,}$/, () => '987654321'),
  },
  {
    name: 'the largest id is missing from the list',
    section: exactness,
    needsSandbox: true,
    answer: inOrders((body) => body.replace(/,\{"id":9223372036854775807,[^}]*\}/, '')),
  },

  { name: 'dates are off by an hour', section: exactness, answer: inOrders(anHourLater) },
  {
    name: 'dates lose their milliseconds',
    section: exactness,
    answer: inOrders((body) => body.replace(/\.\d{3}Z/g, '.000Z')),
  },
  {
    name: 'the newest order is missing from the list',
    section: exactness,
    answer: inOrders((body) => body.replace(/,\{[^}]*\}\]$/, ']')),
  },
  {
    name: 'quantities are one too many',
    section: exactness,
    answer: inOrders((body) =>
      body.replace(/"quantity":(\d+)/g, (_, units) => `"quantity":${Number(units) + 1}`),
    ),
  },
  {
    name: 'a shipped order is complete',
    section: exactness,
    answer: inOrders((body) => body.replaceAll('"complete":false', '"complete":true')),
  },

  { name: 'dates end in +00:00', section: order, answer: inOrders((body) => body.replace(/Z"/g, '+00:00"')) },
  {
    name: 'no order is complete',
    section: order,
    answer: inOrders((body) => body.replaceAll('"complete":true', '"complete":false')),
  },
  {
    name: 'a field is missing',
    section: order,
    answer: inOrders((body) => body.replace(/"quantity":\d+,/g, '')),
  },
  {
    name: 'a field of version 2 shows',
    section: order,
    answer: inOrders((body) => body.replace(/"complete":/g, '"status":"pending","complete":')),
  },
  {
    name: 'fields come in another order',
    section: order,
    answer: inOrders((body) => body.replace(/("id":\d+),("petId":\d+)/g, '$2,$1')),
  },
  {
    name: 'ids are text',
    section: order,
    answer: inOrders((body) => body.replace(/"id":(\d+)/g, '"id":"$1"')),
  },
  {
    name: 'quantities are text',
    section: order,
    answer: inOrders((body) => body.replace(/"quantity":(\d+)/g, '"quantity":"$1"')),
  },
  {
    name: 'quantities have a fraction',
    section: order,
    answer: inOrders((body) => body.replace(/"quantity":(\d+)/g, '"quantity":$1.0')),
  },
  {
    name: 'two orders share an id',
    section: order,
    answer: inOrders((body) => body.replace(/"id":2,/, '"id":1,')),
  },
  {
    name: 'an order is for a pet that does not exist',
    section: order,
    answer: inOrders((body) => body.replace(/"petId":\d+/, '"petId":999')),
  },

  { name: 'the list is descending', section: list, answer: inOrders(reversed) },
  { name: 'the list is wrapped in an object', section: list, answer: inOrders((body) => `{"data":${body}}`) },
  {
    name: 'the list has pages',
    section: list,
    answer: whenever(
      (_, asked) => isOrders(asked),
      ({ headers }) => {
        headers.link = '</v1/store/orders?page=2>; rel="next"';
      },
    ),
  },
  {
    name: 'a limit is obeyed',
    section: list,
    answer: (answered, asked) => {
      if (isOrders(asked) && /limit=1\b/.test(asked.path))
        answered.body = `${answered.body.split('},')[0]}}]`;
    },
  },
  {
    name: 'an unknown parameter is refused',
    section: list,
    answer: (answered, asked) => {
      if (isOrders(asked) && asked.path.includes('?'))
        Object.assign(answered, { status: 400, body: '{"code":"bad_request","message":"No.","status":400}' });
    },
  },

  {
    name: 'a pet lacks its category',
    section: pet,
    answer: inPets((body) => body.replace(/"category":"[^"]*",/g, '')),
  },
  {
    name: 'a pet shows its stock',
    section: pet,
    answer: inPets((body) => body.replace(/"status":/g, '"stock":1,"status":')),
  },
  {
    name: 'the states of pets are in capitals',
    section: pet,
    answer: inPets((body) => body.replace(/"(available|sold)"/g, (word) => word.toUpperCase())),
  },
  {
    name: 'a pet is another one than in the list',
    section: pet,
    request: inPath(/^\/v1\/pets\/2$/, () => '/v1/pets/3'),
  },
  { name: 'the pets are descending', section: 'Endpoints: pets', answer: inPets(reversed) },
  {
    name: 'nothing says that getPet is deprecated',
    section: 'Endpoints: pets',
    answer: without('deprecation'),
  },
  { name: 'nothing says when getPet ends', section: 'Endpoints: pets', answer: without('sunset') },
  {
    name: 'getPet ends a day later',
    section: 'Endpoints: pets',
    answer: whenever(
      ({ headers }) => 'sunset' in headers,
      ({ headers }) => {
        headers.sunset = 'Fri, 06 Dec 2030 00:00:00 GMT';
      },
    ),
  },
  {
    name: 'only a pet that is found is deprecated',
    section: 'Endpoints: pets',
    answer: inStatus(404, ({ headers }) => {
      delete headers.deprecation;
    }),
  },
  {
    name: 'listPets is deprecated too',
    section: 'Endpoints: pets',
    answer: whenever(
      (_, asked) => isPets(asked),
      ({ headers }) => {
        headers.deprecation = '@1794700800';
      },
    ),
  },

  {
    name: 'a leading zero does not matter',
    section: identifiers,
    request: inPath(/\/0+(?=\d+$)/, () => '/'),
  },
  { name: '`1.0` is 1', section: identifiers, request: inPath(/(?<=\/\d+)\.0$/, () => '') },
  { name: '`+1` is 1', section: identifiers, request: inPath(/\/\+(?=\d+$)/, () => '/') },
  {
    name: 'a space before an id does not matter',
    section: identifiers,
    request: inPath(/\/%20(?=\d+$)/, () => '/'),
  },
  {
    name: 'ids wrap around at 2^64',
    section: identifiers,
    request: inPath(/(?<=\/)\d+$/, (id) => `${BigInt.asUintN(64, BigInt(id))}`),
  },
  {
    name: 'ids wrap around at 2^32',
    section: identifiers,
    request: inPath(/(?<=\/)\d+$/, (id) => `${BigInt.asUintN(32, BigInt(id))}`),
  },
  {
    name: 'what is no id is 400',
    section: identifiers,
    answer: (answered, { path }) => {
      if (path.endsWith('/abc')) {
        becomes(400)(answered);
        answered.body = answered.body.replace('not_found', 'bad_request');
      }
    },
  },
  {
    name: 'an id is written with an exponent',
    section: identifiers,
    answer: inOrders((body) => body.replace(/"id":(\d+)/g, '"id":$1e0')),
  },

  { name: 'no other origin may read', section: cors, answer: without('access-control-allow-origin') },
];
