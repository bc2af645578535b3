import { advise, fail } from '../finding.ts';
import type { Request } from '../fixture.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, orders } from '../responses.ts';
import type { Header } from '../wire/head.ts';
import { mustBeForwarded } from './expect.ts';

const group = 'Responses are forwarded unchanged';
const error = (status: number, code: string) => errorOf(status, code, 'See the headers.');

interface ForwardedHeaders {
  readonly id: string;
  readonly headers: readonly Header[];
  readonly hint: string;
  readonly status?: number;
  readonly request?: Request;
  readonly body?: string;
}

/** A question about headers that the client must receive unchanged. */
const forwards = ({
  id,
  headers,
  hint,
  status = 200,
  request = {},
  body = orders('1'),
}: ForwardedHeaders): Question => ({
  id,
  group,
  requirement: `forwards ${headers.map(([name]) => name).join(', ')}`,
  hint,
  async run(fixture) {
    fixture.respond(json(status, body, headers));
    const { response } = await fixture.exchange(request);
    mustBeForwarded(response, status);
    for (const [name, value] of headers) {
      const got = response.header(name);
      if (got !== value)
        fail(`'${name}: ${value}' was sent; the client received ${got === undefined ? 'none' : `'${got}'`}`);
    }
  },
});

export const responseHeaders: readonly Question[] = [
  {
    id: 'etag',
    group,
    requirement: 'forwards ETag',
    hint: 'Forwards it. Compressing may make it weak (`W/`), but must not change the rest.',
    async run(fixture) {
      const tag = '"x68rcsev3s3p-3"';
      fixture.respond(json(200, orders('1'), [['ETag', tag]]));
      const { response } = await fixture.exchange({ headers: [['Accept-Encoding', 'gzip']] });
      mustBeForwarded(response, 200);
      const got = response.header('etag');
      if (got === `W/${tag}`) advise('makes a strong ETag weak');
      if (got !== tag)
        fail(`ETag ${tag} was sent; the client received ${got ?? 'none'}, which the origin does not know`);
    },
  },
  forwards({
    id: 'retry-after',
    headers: [['Retry-After', '7']],
    status: 429,
    body: error(429, 'rate_limited'),
    hint: 'Forwards it: clients wait this long.',
  }),
  forwards({
    id: 'rate-limit',
    headers: [
      ['RateLimit', '"default";r=17;t=4'],
      ['RateLimit-Policy', '"default";q=1200;w=60'],
    ],
    hint: 'Forwards both: clients slow down before they are rejected.',
  }),
  forwards({
    id: 'deprecation',
    headers: [
      ['Deprecation', '@1794700800'],
      ['Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
      [
        'Link',
        '</docs/v1#getPet>; rel="deprecation"; type="text/html", </v2/pets/1>; rel="successor-version"',
      ],
    ],
    hint: 'Forwards all three: they tell clients when an operation will be removed.',
  }),
  forwards({
    id: 'next-link',
    headers: [['Link', '</v2/store/orders?limit=1&cursor=AAABoHfF>; rel="next"']],
    hint: 'Forwards it: clients follow it to the next page.',
  }),
  forwards({
    id: 'www-authenticate',
    headers: [['WWW-Authenticate', 'Bearer realm="petstore", error="invalid_token"']],
    status: 401,
    body: error(401, 'invalid_api_key'),
    hint: 'Forwards it: it says how to authenticate.',
  }),
  forwards({
    id: 'location',
    headers: [['Location', '/v2/store/orders/41']],
    status: 201,
    request: { method: 'POST', path: '/v2/store/orders', body: '{"petId":1,"quantity":1}' },
    hint: 'Forwards it: clients find the new order there.',
  }),
  forwards({
    id: 'allow',
    headers: [['Allow', 'GET, HEAD, OPTIONS']],
    status: 405,
    body: error(405, 'method_not_allowed'),
    hint: 'Forwards it.',
  }),
  forwards({
    id: 'preference-applied',
    headers: [['Preference-Applied', 'fault=delay']],
    hint: 'Forwards it: it says which preferences were applied.',
  }),
  {
    id: 'cache-control',
    group,
    requirement: 'forwards Cache-Control and Vary',
    hint: 'Forwards both: caches along the way must not store the list for other keys.',
    async run(fixture) {
      fixture.respond(list());
      const { response } = await fixture.exchange();
      mustBeForwarded(response, 200);
      const control = response.header('cache-control') ?? '';
      const vary = response.header('vary') ?? '';
      if (!/\b(no-cache|no-store)\b/i.test(control))
        fail(`'Cache-Control: private, no-cache' was sent; the client received '${control}'`);
      if (!/authorization|\*/i.test(vary))
        fail(`'Vary: Authorization, Accept-Encoding' was sent; the client received '${vary}'`);
    },
  },
];
