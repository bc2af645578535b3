import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Json } from '../../document.ts';
import { ensure, equal } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { parseExact } from '../../json.ts';
import { documentedResponse, type Operation, operationFinder, operationsOf } from './operations.ts';
import { problemIn } from './schema.ts';
import { resolved } from './values.ts';

/** Documented headers that only some responses have. */
const conditionalHeaders = [
  'link',
  'idempotent-replayed',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
];

/** Statuses that need no documentation: the HTTP parser rejects the request, or the path lacks the method. */
const generalStatuses = [405, 408, 413, 414, 431, 501];

/** Headers of every response, for any operation and status. */
const commonHeaders = {
  'x-content-type-options': /^nosniff$/,
  'cache-control': /^private, no-cache$/,
  vary: /^Authorization, Accept-Encoding(, Prefer)?$/,
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /\bETag\b.*\bX-Request-Id\b/,
  'x-request-id': /^[\w.:=-]{1,64}$/,
  date: /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/,
};

/** Headers that only some responses may have, as documented. */
const specificHeaders = [
  'etag',
  'location',
  'link',
  'allow',
  'retry-after',
  'www-authenticate',
  'deprecation',
  'sunset',
  'idempotent-replayed',
  'preference-applied',
  'accept-query',
  'last-modified',
  'expires',
  'accept-ranges',
  'content-location',
  'content-disposition',
  'content-language',
  'refresh',
  'pragma',
];

/** Headers that scripts of any origin may read (CORS). */
const alwaysReadable = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'pragma',
];

/** The path and sorted parameters of a URL. A given cursor is set as `cursor`, or as `after` for events. */
function addressOf(target: string, cursor?: string): string {
  const url = new URL(target, 'http://any.example');
  const name = url.pathname.endsWith('/events') ? 'after' : 'cursor';
  if (cursor !== undefined) url.searchParams.set(name, cursor);
  const parameters = [...url.searchParams].flatMap(([key, value]) =>
    value.split(',').map((one) => `${key}=${one}`),
  );
  return `${url.pathname}?${parameters.sort().join('&')}`;
}

/** Checks every response that the other checks received against the documents. */
export function everyResponseChecks(suite: Suite, context: Context): void {
  const { check } = suite.section(
    'all.responses',
    'Every response of this run, checked against the documents',
  );
  const { client, staging } = context;
  const found = once(async () => {
    const find = operationFinder(await operationsOf(context));
    return [...client.responses, ...(staging?.client.responses ?? [])].flatMap((response) => {
      const operation = find(response);
      return operation ? [{ response, operation }] : [];
    });
  });
  const eachResponse = async (
    test: (response: Response, documented: Json | undefined, operation: Operation) => void,
  ) => {
    for (const { response, operation } of await found())
      test(response, documentedResponse(operation, response.status), operation);
  };

  check('status', 'every status is documented for its operation', () =>
    eachResponse(({ status, request }, documented) =>
      ensure(
        documented !== undefined || generalStatuses.includes(status),
        'a documented status',
        status,
        request,
      ),
    ),
  );
  check('headers', 'every documented header is there, on 2xx, 304 and errors alike', () =>
    eachResponse(({ headers, request, status }, documented, { document }) => {
      for (const [name, given] of Object.entries((documented?.headers ?? {}) as Record<string, Json>)) {
        const lower = name.toLowerCase();
        const value = headers[lower];
        if (value === undefined && conditionalHeaders.includes(lower)) continue;
        ensure(value !== undefined, `a header ${name} on ${status}`, 'none', request);
        const schema = resolved(given, document).schema as Json;
        const isInteger = resolved(schema, document).type === 'integer' && /^\d+$/.test(value ?? '');
        const problem = problemIn(isInteger ? BigInt(value ?? 0) : value, schema, document, name);
        ensure(problem === undefined, `${name} as documented`, `${problem}: ${value}`, request);
      }
    }),
  );
  check('bodies', 'every body has the documented content type and satisfies its schema', () => {
    // Equal bodies of one documented response are checked once.
    const seen = new Map<Json, Set<string>>();
    return eachResponse(({ headers, text, request, status, requestText }, documented, { document }) => {
      if (!documented || requestText.startsWith('HEAD')) return;
      const type = headers['content-type']?.split(';')[0] ?? '';
      const content = (documented.content ?? {}) as Record<string, Json>;
      if (Object.keys(content).length === 0) {
        equal([text, type], ['', ''], `neither a body nor its type on ${status}:`, request);
        return;
      }
      const parameters = headers['content-type']?.split(';').slice(1).join().trim() ?? '';
      ensure(/^(charset=utf-8)?$/i.test(parameters), 'no other charset than UTF-8', parameters, request);
      ensure(type in content, `content type ${Object.keys(content).join(' or ')}`, type, request);
      if (type !== 'application/json' || 'content-encoding' in headers) return;
      const texts = seen.get(documented) ?? new Set();
      if (texts.has(text)) return;
      seen.set(documented, texts.add(text));
      const problem = problemIn(parseExact(text), (content[type]?.schema ?? {}) as Json, document);
      ensure(problem === undefined, 'a body that satisfies its schema', problem, request);
    });
  });
  check('links', '`Link` accompanies `nextCursor`, and is the same request with that cursor', () =>
    eachResponse(({ headers, text, request, requestText, status }) => {
      if (status !== 200 || !/^GET /.test(requestText) || 'content-encoding' in headers) return;
      const [, cursor] = /"nextCursor":(null|"[^"]*")\}$/.exec(text) ?? [];
      if (cursor === undefined) return;
      const [, target] = /<([^>]+)>; rel="next"/.exec(headers.link ?? '') ?? [];
      const [, own = ''] = /^GET (\S*)/.exec(requestText) ?? [];
      const expected = cursor === 'null' ? undefined : addressOf(own, cursor.slice(1, -1));
      equal(target && addressOf(target), expected, 'the address in Link', request);
    }),
  );
  check('standing', 'headers of every response: caching, CORS, `X-Request-Id`, `nosniff`, `Date`', () =>
    eachResponse(({ headers, request, status }) => {
      // Errors of the HTTP parser are written without the application.
      if ([408, 414, 431, 501].includes(status) || (status === 400 && !request.includes('/v2'))) return;
      if (status === 0) return;
      for (const [name, form] of Object.entries(commonHeaders)) {
        const value = headers[name];
        if (/event-stream/.test(headers['content-type'] ?? '') && name === 'cache-control') continue;
        ensure(value !== undefined && form.test(value), `${name} on ${status}`, value ?? 'none', request);
      }
    }),
  );
  check(
    'undocumented',
    '`ETag`, `Location`, `Allow` and other specific headers are sent only where they are documented',
    () =>
      eachResponse(({ requestText, headers, request, status }, documented, { definition, path }) => {
        if (!documented) return;
        const allowed = Object.keys((documented.headers ?? {}) as Json).map((name) => name.toLowerCase());
        // These depend on the resource or the request, not on the status.
        if (definition.deprecated === true) allowed.push('deprecation', 'sunset', 'link');
        if (path === '/store/orders') allowed.push('accept-query');
        if (/^prefer:/im.test(requestText)) allowed.push('preference-applied');
        const undocumented = specificHeaders.filter((name) => name in headers && !allowed.includes(name));
        equal(undocumented, [], `undocumented headers of ${status}:`, request);
      }),
  );
  check('exposed', 'a browser may read every documented header', async () => {
    const documented = new Set<string>();
    for (const operation of await operationsOf(context))
      for (const status of Object.keys((operation.definition.responses ?? {}) as Json)) {
        const { headers } = documentedResponse(operation, Number(status)) ?? {};
        for (const name of Object.keys((headers ?? {}) as Json)) documented.add(name.toLowerCase());
      }
    const names = [...documented].filter((name) => !alwaysReadable.includes(name));
    const seen = new Set<string>();
    for (const { response } of await found()) {
      const { 'access-control-expose-headers': exposed = '' } = response.headers;
      if (seen.has(exposed) || exposed === '') continue;
      seen.add(exposed);
      const members = exposed.toLowerCase().split(/\s*,\s*/);
      equal(
        names.filter((name) => !members.includes(name)),
        [],
        'headers that are not exposed:',
        response.request,
      );
    }
  });
  check(
    'rate-limit',
    '`RateLimit` and `RateLimit-Policy` on every response to a valid key, if a limit is on',
    async () => {
      const limited = (await found()).filter(({ response: { requestText, status } }) => {
        const key = /^authorization: bearer (.*)$/im.exec(requestText)?.[1]?.trim();
        return key === client.key && status !== 401 && ![400, 413, 414, 431, 501].includes(status);
      });
      if (!limited.some(({ response }) => 'ratelimit' in response.headers))
        throw new Inconclusive('no rate limit is set');
      for (const { response } of limited)
        for (const name of ['ratelimit', 'ratelimit-policy'])
          ensure(
            name in response.headers,
            `a header ${name} on ${response.status}`,
            'none',
            response.request,
          );
    },
  );
}
