import {
  authentication,
  becomes,
  caching,
  cancelling,
  error,
  forgetsCancels,
  inErrors,
  inPath,
  inStatus,
  isCancel,
  type Mutant,
  precedence,
  states,
  whenever,
  without,
} from './changes.ts';

/** Cancels, errors and keys. */
export const ofRefusals: readonly Mutant[] = [
  {
    name: 'a cancel is answered with 200',
    section: cancelling,
    answer: inStatus(204, (answered) => {
      answered.status = 200;
      answered.headers['content-length'] = '0';
    }),
  },
  {
    name: '204 has a content type',
    section: cancelling,
    answer: inStatus(204, ({ headers }) => {
      headers['content-type'] = 'application/json';
    }),
  },
  {
    name: '204 has a length',
    section: cancelling,
    answer: inStatus(204, ({ headers }) => {
      headers['content-length'] = '0';
    }),
  },
  {
    name: 'a cancel does nothing',
    section: cancelling,
    request: (asked) => {
      if (isCancel(asked)) Object.assign(asked, { method: 'GET', path: '/v1/pets?cancel' });
    },
    answer: whenever(
      (_, { path }) => path === '/v1/pets?cancel',
      (answered) => {
        Object.assign(answered, { status: 204, headers: { 'x-request-id': 'a' }, body: '' });
      },
    ),
  },
  { name: 'a cancelled order is still listed', section: states, ...forgetsCancels() },
  {
    name: 'a second cancel is 409',
    section: states,
    answer: whenever(
      ({ status }, asked) => status === 404 && isCancel(asked),
      (answered) => {
        becomes(409)(answered);
        answered.body = answered.body.replace('not_found', 'order_already_cancelled');
      },
    ),
  },
  {
    name: 'a second cancel is 204',
    section: states,
    answer: whenever(
      ({ status }, asked) => status === 404 && isCancel(asked),
      (answered) => {
        Object.assign(answered, { status: 204, body: '' });
      },
    ),
  },
  {
    name: 'a shipped order is 404',
    section: states,
    answer: inStatus(409, (answered) => {
      becomes(404)(answered);
      answered.body = answered.body.replace('order_already_shipped', 'not_found');
    }),
  },
  {
    name: 'a shipped order is cancelled',
    section: states,
    answer: inStatus(409, (answered) => {
      Object.assign(answered, { status: 204, body: '' });
    }),
  },
  {
    name: '409 has another code',
    section: cancelling,
    answer: inErrors((body) => body.replace('order_already_shipped', 'conflict')),
  },
  {
    name: '409 has no body',
    section: cancelling,
    answer: inStatus(409, (answered) => {
      answered.body = '';
    }),
  },

  {
    name: 'an Error has no message',
    section: error,
    answer: inErrors((body) => body.replace(/"message":"[^"]*",/, '')),
  },
  {
    name: 'an Error has an empty message',
    section: error,
    answer: inErrors((body) => body.replace(/"message":"[^"]*"/, '"message":""')),
  },
  {
    name: 'an Error has a further field',
    section: error,
    answer: inErrors((body) => body.replace('}', ',"details":null}')),
  },
  {
    name: 'an Error says another status',
    section: error,
    answer: inErrors((body) => body.replace(/"status":\d+/, '"status":400')),
  },
  {
    name: 'an Error has its status as text',
    section: error,
    answer: inErrors((body) => body.replace(/"status":(\d+)/, '"status":"$1"')),
  },
  {
    name: 'errors are HTML',
    section: 'Endpoints',
    answer: whenever(
      ({ status }) => status >= 400,
      ({ headers }) => {
        headers['content-type'] = 'text/html';
      },
    ),
  },
  { name: '`Allow` is missing', section: 'Errors', answer: without('allow') },
  {
    name: '`Allow` names a method that is refused',
    section: 'Errors',
    answer: inStatus(405, ({ headers }) => {
      headers.allow = 'GET, HEAD, POST';
    }),
  },
  { name: '405 is 404', section: 'Errors', answer: inStatus(405, becomes(404)) },
  { name: 'a slash at the end does not matter', section: 'Errors', request: inPath(/(?<=.)\/$/, () => '') },
  {
    name: 'capitals in a path do not matter',
    section: 'Errors',
    request: inPath(/^\/v1\/STORE.*/, (path) => path.toLowerCase()),
  },
  {
    name: 'a missing order reads differently',
    section: 'Errors',
    answer: (answered, { path }) => {
      if (answered.status === 404 && path.includes('987654321'))
        answered.body = answered.body.replace('could not', 'can not');
    },
  },

  { name: '401 is 403', section: authentication, answer: inStatus(401, becomes(403)) },
  { name: '401 has no challenge', section: authentication, answer: without('www-authenticate') },
  {
    name: 'a missing key is called invalid',
    section: authentication,
    answer: inErrors((body) => body.replace('missing_api_key', 'invalid_api_key')),
  },
  {
    name: 'a challenge names an error where no key was sent',
    section: authentication,
    answer: inStatus(401, ({ headers }) => {
      headers['www-authenticate'] = 'Bearer realm="petstore", error="invalid_token"';
    }),
  },
  {
    name: 'a challenge names no error',
    section: authentication,
    answer: inStatus(401, ({ headers }) => {
      headers['www-authenticate'] = 'Bearer realm="petstore"';
    }),
  },
  {
    name: 'the realm is another',
    section: authentication,
    answer: whenever(
      ({ headers }) => 'www-authenticate' in headers,
      ({ headers }) => {
        headers['www-authenticate'] = String(headers['www-authenticate']).replace('petstore', 'shop');
      },
    ),
  },
  {
    name: '`bearer` in small letters is refused',
    section: authentication,
    request: (asked) => {
      asked.headers.authorization = asked.headers.authorization?.replace('bearer ', 'Basic ') ?? '';
    },
  },
  {
    name: 'a key in the query is taken',
    section: authentication,
    request: (asked) => {
      const key = /api_key=([^&]+)/.exec(asked.path)?.[1];
      if (key) asked.headers.authorization = `Bearer ${key}`;
    },
  },
  {
    name: 'a key in X-API-Key is taken',
    section: authentication,
    request: (asked) => {
      const key = asked.headers['x-api-key'];
      if (key) asked.headers.authorization = `Bearer ${key}`;
    },
  },
  {
    name: 'a key with something after it is taken',
    section: authentication,
    request: (asked) => {
      const { authorization } = asked.headers;
      if (authorization) asked.headers.authorization = authorization.replace(/(pst_\w{43}).$/, '$1');
    },
  },
  {
    name: 'a refusal says how wrong the key is',
    section: authentication,
    answer: (answered, { headers }) => {
      if (answered.status === 401 && !headers.authorization?.includes('pst_'))
        answered.body = answered.body.replace('.', ', not even by its form.');
    },
  },
  {
    name: 'an unknown path needs no key',
    section: precedence,
    answer: (answered, asked) => {
      if (answered.status === 401 && asked.path === '/v1/nothing') {
        becomes(404)(answered);
        answered.body = answered.body.replace(/"\w+_api_key"/, '"not_found"');
      }
    },
  },
  {
    name: 'a wrong method needs no key',
    section: precedence,
    answer: (answered, asked) => {
      if (answered.status === 401 && asked.method === 'PUT') {
        becomes(405)(answered);
        answered.body = answered.body.replace(/"\w+_api_key"/, '"method_not_allowed"');
      }
    },
  },
  {
    name: 'a tag needs no key',
    section: precedence,
    answer: (answered, { headers }) => {
      if (answered.status === 401 && 'if-none-match' in headers)
        Object.assign(answered, { status: 304, body: '' });
    },
  },

  { name: '`ETag` is missing', section: caching, answer: without('etag') },
  {
    name: 'a key of one deployment opens the other',
    section: 'What the service does',
    answer: (answered, asked) => {
      if (answered.status === 401 && /pst_(test|live)_/.test(asked.headers.authorization ?? ''))
        Object.assign(answered, { status: 200, body: '[]' });
    },
  },
];
