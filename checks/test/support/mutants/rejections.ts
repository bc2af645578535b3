import {
  authorizationOf,
  becomes,
  inErrors,
  inPath,
  inStatus,
  isCancel,
  type Mutant,
  whenever,
  without,
} from './changes.ts';

/** Cancels, errors and keys. */
export const ofRejections: readonly Mutant[] = [
  {
    name: 'a cancel is answered with 200',
    noticedBy: 'v1.cancel',
    response: inStatus(204, (response) => {
      response.status = 200;
      response.headers['content-length'] = '0';
    }),
  },
  {
    name: '204 has a content type',
    noticedBy: 'v1.cancel',
    response: inStatus(204, ({ headers }) => {
      headers['content-type'] = 'application/json';
    }),
  },
  {
    name: '204 has a length',
    noticedBy: 'v1.cancel',
    response: inStatus(204, ({ headers }) => {
      headers['content-length'] = '0';
    }),
  },
  {
    name: 'a second cancel is 409',
    noticedBy: 'v1.states',
    response: whenever(
      ({ status }, forwarded) => status === 404 && isCancel(forwarded),
      (response) => {
        becomes(409)(response);
        response.body = response.body.replace('not_found', 'order_already_cancelled');
      },
    ),
  },
  {
    name: 'a shipped order is 404',
    noticedBy: 'v1.states',
    response: inStatus(409, (response) => {
      becomes(404)(response);
      response.body = response.body.replace('order_already_shipped', 'not_found');
    }),
  },
  {
    name: '409 has no body',
    noticedBy: 'v1.cancel',
    response: inStatus(409, (response) => {
      response.body = '';
    }),
  },

  {
    name: 'an Error has no message',
    noticedBy: 'v1.error',
    response: inErrors((body) => body.replace(/"message":"[^"]*",/, '')),
  },
  {
    name: 'an Error has an empty message',
    noticedBy: 'v1.error',
    response: inErrors((body) => body.replace(/"message":"[^"]*"/, '"message":""')),
  },
  {
    name: 'an Error has a further field',
    noticedBy: 'v1.error',
    response: inErrors((body) => body.replace('}', ',"details":null}')),
  },
  {
    name: 'an Error has its status as text',
    noticedBy: 'v1.error',
    response: inErrors((body) => body.replace(/"status":(\d+)/, '"status":"$1"')),
  },
  {
    name: 'errors are HTML',
    noticedBy: 'v1.endpoints',
    response: whenever(
      ({ status }) => status >= 400,
      ({ headers }) => {
        headers['content-type'] = 'text/html';
      },
    ),
  },
  { name: '`Allow` is missing', noticedBy: 'v1.errors', response: without('allow') },
  {
    name: '`Allow` names a method that is refused',
    noticedBy: 'v1.errors',
    response: inStatus(405, ({ headers }) => {
      headers.allow = 'GET, HEAD, POST';
    }),
  },
  { name: '405 is 404', noticedBy: 'v1.errors', response: inStatus(405, becomes(404)) },
  {
    name: 'a slash at the end does not matter',
    noticedBy: 'v1.errors',
    request: inPath(/(?<=.)\/$/, () => ''),
  },
  {
    name: 'capitals in a path do not matter',
    noticedBy: 'v1.errors',
    request: inPath(/^\/v1\/STORE.*/, (path) => path.toLowerCase()),
  },
  {
    name: 'a missing order reads differently',
    noticedBy: 'v1.errors',
    response: (response, { path }) => {
      if (response.status === 404 && path.includes('987654321'))
        response.body = response.body.replace('could not', 'can not');
    },
  },

  { name: '401 has no challenge', noticedBy: 'v1.authentication', response: without('www-authenticate') },
  {
    name: 'a missing key is called invalid',
    noticedBy: 'v1.authentication',
    response: inErrors((body) => body.replace('missing_api_key', 'invalid_api_key')),
  },
  {
    name: 'a challenge names an error where no key was sent',
    noticedBy: 'v1.authentication',
    response: inStatus(401, ({ headers }) => {
      headers['www-authenticate'] = 'Bearer realm="petstore", error="invalid_token"';
    }),
  },
  {
    name: 'a challenge names no error',
    noticedBy: 'v1.authentication',
    response: inStatus(401, ({ headers }) => {
      headers['www-authenticate'] = 'Bearer realm="petstore"';
    }),
  },
  {
    name: 'the realm is another',
    noticedBy: 'v1.authentication',
    response: whenever(
      ({ headers }) => 'www-authenticate' in headers,
      ({ headers }) => {
        headers['www-authenticate'] = String(headers['www-authenticate']).replace('petstore', 'shop');
      },
    ),
  },
  {
    name: '`bearer` in small letters is refused',
    noticedBy: 'v1.authentication',
    request: (forwarded) => {
      forwarded.headers.authorization = authorizationOf(forwarded).replace(/^bearer (?=pst_)/, 'Basic ');
    },
  },
  {
    name: 'a key in the query is taken',
    noticedBy: 'v1.authentication',
    request: (forwarded) => {
      const key = /api_key=([^&]+)/.exec(forwarded.path)?.[1];
      if (key) forwarded.headers.authorization = `Bearer ${key}`;
    },
  },
  {
    name: 'a key in X-API-Key is taken',
    noticedBy: 'v1.authentication',
    request: (forwarded) => {
      const key = forwarded.headers['x-api-key'];
      if (key) forwarded.headers.authorization = `Bearer ${key}`;
    },
  },
  {
    name: 'a key with something after it is taken',
    noticedBy: 'v1.authentication',
    request: (forwarded) => {
      forwarded.headers.authorization = authorizationOf(forwarded).replace(/(pst_\w{43})x$/, '$1');
    },
  },
  {
    name: 'a refusal says how wrong the key is',
    noticedBy: 'v1.authentication',
    response: (response, forwarded) => {
      if (response.status === 401 && authorizationOf(forwarded) === 'Bearer junk')
        response.body = response.body.replace('.', ', not even by its form.');
    },
  },
  {
    name: 'an unknown path needs no key',
    noticedBy: 'v1.precedence',
    response: (response, forwarded) => {
      if (response.status === 401 && forwarded.path === '/v1/nothing') {
        becomes(404)(response);
        response.body = response.body.replace(/"\w+_api_key"/, '"not_found"');
      }
    },
  },
  {
    name: 'a wrong method needs no key',
    noticedBy: 'v1.precedence',
    response: (response, forwarded) => {
      if (response.status === 401 && forwarded.method === 'PUT') {
        becomes(405)(response);
        response.body = response.body.replace(/"\w+_api_key"/, '"method_not_allowed"');
      }
    },
  },
  {
    name: 'a tag needs no key',
    noticedBy: 'v1.precedence',
    response: (response, { headers }) => {
      if (response.status === 401 && 'if-none-match' in headers)
        Object.assign(response, { status: 304, body: '' });
    },
  },

  { name: '`ETag` is missing', noticedBy: 'v1.caching', response: without('etag') },
  {
    name: 'a key of one deployment opens the other',
    noticedBy: 'v1.service',
    response: (response, forwarded) => {
      if (response.status === 401 && /pst_(test|live)_/.test(authorizationOf(forwarded)))
        Object.assign(response, { status: 200, body: '[]' });
    },
  },
];
