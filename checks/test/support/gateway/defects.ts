import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import type { Defect, Response } from './proxy.ts';

const isReset = (outcome: string | number) => outcome === 'ECONNRESET';
const html = { headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Error</h1>') };

const withoutRequestHeader = (name: string): Defect => ({
  request({ headers }) {
    delete headers[name];
  },
});
const withResponseHeader = (name: string, change: (value: string) => string | undefined): Defect => ({
  response({ headers }) {
    const value = headers[name];
    if (typeof value !== 'string') return;
    const changed = change(value);
    if (changed === undefined) delete headers[name];
    else headers[name] = changed;
  },
});
const path = (change: (path: string) => string): Defect => ({
  request(forwarded) {
    const [before = '', query] = forwarded.path.split('?');
    forwarded.path = `${change(before)}${query === undefined ? '' : `?${query}`}`;
  },
});
const replaced = (from: string | RegExp, to: string | ((text: string) => string)): Defect => ({
  response(response, { method }) {
    if (response.headers['content-encoding'] !== undefined || method === 'HEAD') return;
    response.body = Buffer.from(response.body.toString().replace(from, to as string));
    if (response.headers['content-length'] !== undefined)
      response.headers['content-length'] = String(response.body.length);
  },
});

/** A cache of responses to GET, which ignores the origin's headers. A function, because each proxy has its own. */
function cache(
  keyOf: (request: IncomingMessage) => string | undefined,
  { statuses, invalidates = false }: { readonly statuses: readonly number[]; readonly invalidates?: boolean },
): Defect {
  const stored = new Map<string, Response>();
  return {
    own(request) {
      // Only for the same question: others run concurrently.
      const token = /petq\w{8}/.exec(request.url ?? '')?.[0] ?? '';
      if (invalidates && request.method !== 'GET')
        for (const key of stored.keys()) if (key.includes(token)) stored.delete(key);
      const key = request.method === 'GET' ? keyOf(request) : undefined;
      return key === undefined ? undefined : stored.get(`${request.url} ${key}`);
    },
    response(response, { method }, { url, headers }) {
      const key = keyOf({ headers } as IncomingMessage) ?? '';
      if (method === 'GET' && statuses.includes(response.status))
        stored.set(`${url} ${key}`, { ...response });
    },
  };
}

function repeatsResponses(): Defect {
  const seen = new WeakMap<object, { count: number; last: Response | undefined }>();
  const of = ({ socket }: IncomingMessage) => {
    const known = seen.get(socket) ?? { count: 0, last: undefined };
    seen.set(socket, known);
    return known;
  };
  return {
    own(request) {
      const known = of(request);
      known.count += 1;
      return known.count > 3 ? known.last : undefined;
    },
    response(response, _, request) {
      of(request).last = response;
    },
  };
}

function usesEndedConnections(): Defect {
  let isEnded = false;
  return {
    onIdleEnd() {
      isEnded = true;
    },
    own() {
      if (!isEnded) return undefined;
      isEnded = false;
      return { status: 502 };
    },
  };
}

function staysDown(): Defect {
  let isDown = false;
  return {
    own: () => (isDown ? { status: 503 } : undefined),
    failure(_, { code }) {
      isDown ||= code === 'ECONNREFUSED';
      return undefined;
    },
  };
}

function hasFewWorkers(): Defect {
  let busy = 0;
  return {
    own(request) {
      if (request.url?.includes('stream')) {
        busy += 1;
        request.socket.once('close', () => {
          busy -= 1;
        });
      }
      return busy > 30 && !request.url?.includes('stream') ? { status: 503 } : undefined;
    },
  };
}

function repeatsFirstResponse(): Defect {
  let first: Response | undefined;
  return {
    response(response, forwarded) {
      if (!forwarded.path.startsWith('/v1/pets')) return;
      first ??= { ...response };
      Object.assign(response, first);
    },
  };
}

const tag = (text: string) => createHash('sha1').update(text).digest('hex').slice(0, 8);

/** Each breaks one thing. The key is the question that must fail, as the only one; `-2` marks a further defect for it. */
export const defects: Readonly<Record<string, () => Defect>> = {
  'delete-once': () => ({ repeats: ({ method }, outcome) => method === 'DELETE' && isReset(outcome) }),
  'post-once': () => ({
    repeats: ({ method, headers }, outcome) =>
      method === 'POST' && headers['idempotency-key'] === undefined && isReset(outcome),
  }),
  'post-with-key': () => ({
    repeats({ method, headers }, outcome) {
      if (method !== 'POST' || headers['idempotency-key'] === undefined || !isReset(outcome)) return false;
      delete headers['idempotency-key'];
      return true;
    },
  }),
  'rejected-change-once': () => ({ repeats: ({ method }, outcome) => method !== 'GET' && outcome === 503 }),
  'lost-change-fails': () => ({
    failure: ({ method }, { code = '' }) => (method === 'DELETE' && isReset(code) ? 200 : undefined),
  }),
  'lost-change-fails-2': () => ({
    failure: ({ method }, { code = '', message }) =>
      method !== 'DELETE' || !isReset(code)
        ? undefined
        : message === 'socket hang up'
          ? { status: 502, ...html }
          : 200,
  }),
  'lost-read': () => ({
    failure: ({ method }, { code = '' }) => (method === 'GET' && isReset(code) ? 404 : undefined),
  }),
  'hanging-change': () => ({ timeout: () => 0 }),
  'hanging-change-2': () => ({ repeats: (_, outcome) => outcome === 'timeout' }),
  'late-response': () => ({
    timeout: ({ url = '', headers }) =>
      url.startsWith('/v2/sandbox/reset') && Number(headers['content-length']) < 100 ? 100 : 3_000,
  }),
  'escaped-path': () => path((target) => target.replaceAll(/%[CA]\d/g, (escaped) => escaped.toLowerCase())),
  'encoded-slash': () => path((target) => target.replaceAll('%2F', '/')),
  'double-slash': () => path((target) => target.replaceAll('//', '/')),
  'dot-segments': () => path((target) => target.replace(/\/[^/]+\/\.\./, '')),
  query: () => ({
    request(forwarded) {
      forwarded.path = forwarded.path.replaceAll('+', '%20');
    },
  }),
  'long-request': () => ({ own: ({ url = '' }) => (url.length > 2_000 ? { status: 414 } : undefined) }),
  methods: () => ({
    request(forwarded) {
      if (forwarded.method === 'PATCH') forwarded.method = 'POST';
    },
  }),
  authorization: () => ({
    request({ headers }) {
      if (typeof headers.authorization === 'string')
        headers.authorization = headers.authorization.replace('Bearer', 'bearer');
    },
  }),
  'idempotency-key': () => withoutRequestHeader('idempotency-key'),
  'content-type': () => ({
    request({ headers }) {
      headers['content-type'] = headers['content-type']?.toString().split(';')[0];
      if (headers['content-type'] === undefined) delete headers['content-type'];
    },
  }),
  prefer: () => withoutRequestHeader('prefer'),
  'last-event-id': () => withoutRequestHeader('last-event-id'),
  trace: () => withoutRequestHeader('traceparent'),
  'trace-2': () => withoutRequestHeader('tracestate'),
  'if-none-match': () => withoutRequestHeader('if-none-match'),
  'hop-by-hop': () => ({ forwardsHopByHop: true }),
  'hop-by-hop-2': () => withoutRequestHeader('x-end'),
  'expect-continue': () => ({ rejectsExpect: true }),
  'body-bytes': () => ({ requestBody: (body) => Buffer.from(body.toString()) }),
  'body-4-mb': () => ({
    own: ({ headers }) => (Number(headers['content-length']) > 1_000_000 ? { status: 413 } : undefined),
  }),
  'body-chunked': () => ({
    requestBody: (body, { headers }) => (headers['content-length'] === undefined ? Buffer.alloc(0) : body),
  }),
  errors: () => ({
    response(response) {
      if (response.status === 410) Object.assign(response, html);
    },
  }),
  'server-errors': () => ({
    response(response) {
      if (response.status === 500) Object.assign(response, html);
    },
  }),
  'no-content': () => ({
    response(response) {
      if (response.status === 204) Object.assign(response, { status: 200, body: Buffer.from('{}') });
    },
  }),
  'not-modified': () => ({
    response(response) {
      if (response.status === 304) response.status = 200;
    },
  }),
  head: () => ({
    response(response, { method }) {
      if (method === 'HEAD') response.headers['content-length'] = '0';
    },
  }),
  int64: () => replaced(/\d{16,}/g, (digits) => String(Number(digits))),
  'response-bytes': () => replaced(/\r\n/g, '\n'),
  compression: () => ({
    response(response) {
      if (response.headers['content-encoding'] !== 'gzip') return;
      response.body = gzipSync(response.body);
      response.headers['content-length'] = String(response.body.length);
    },
  }),
  'compression-2': () => ({
    request({ headers, path: target }) {
      headers['accept-encoding'] ??= target.includes('stream') ? '' : 'gzip';
      if (headers['accept-encoding'] === '') delete headers['accept-encoding'];
    },
  }),
  truncated: () => ({
    pass(from, to) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('close', () => to.end());
    },
  }),
  'large-list': () => ({
    pass(from, to) {
      let size = 0;
      from.on('data', (bytes: Buffer) => {
        size += bytes.length;
        if (size < 1_000_000) to.write(bytes);
      });
      from.on('close', () => (from.complete ? to.end() : to.destroy()));
    },
  }),
  etag: () => withResponseHeader('etag', (value) => value.replace(/"$/, '-gzip"')),
  'etag-2': () => withResponseHeader('etag', (value) => `"${tag(value)}"`),
  'retry-after': () => withResponseHeader('retry-after', () => undefined),
  'rate-limit': () => withResponseHeader('ratelimit-policy', () => undefined),
  deprecation: () => withResponseHeader('sunset', () => undefined),
  'next-link': () => withResponseHeader('link', (value) => (value.includes('next') ? undefined : value)),
  'www-authenticate': () => withResponseHeader('www-authenticate', () => 'Basic realm="gateway"'),
  location: () => withResponseHeader('location', (value) => `http://10.0.0.7:8080${value}`),
  allow: () => withResponseHeader('allow', () => undefined),
  'preference-applied': () => withResponseHeader('preference-applied', () => undefined),
  'cache-control': () => withResponseHeader('cache-control', () => 'max-age=60'),
  'cache-control-2': () => withResponseHeader('vary', () => 'Accept-Encoding'),
  event: () => ({
    pass(from, to) {
      const chunks: Buffer[] = [];
      const isBuffered = /event-stream/.test(from.headers['content-type'] ?? '');
      from.on('data', (bytes: Buffer) => (isBuffered ? chunks.push(bytes) : to.write(bytes)));
      from.on('close', () => (from.complete ? to.end(Buffer.concat(chunks)) : to.destroy()));
    },
  }),
  'event-compressed': () => ({
    pass(from, to, { headers }) {
      const isCompressed =
        /event-stream/.test(from.headers['content-type'] ?? '') && headers['accept-encoding'];
      if (isCompressed) from.pipe(createGzip()).pipe(to);
      else from.pipe(to);
      from.on('close', () => from.complete || to.destroy());
    },
  }),
  'quiet-stream': () => ({
    pass(from, to) {
      from.on('data', (bytes: Buffer) => (bytes.toString() === ':\n\n' ? to.destroy() : to.write(bytes)));
      from.on('close', () => (from.complete ? to.end() : to.destroy()));
    },
  }),
  'client-leaves': () => ({
    ignoresDisconnects: true,
    pass(from, to) {
      from.on('data', (bytes) => to.destroyed || to.write(bytes));
      from.on('close', () => (from.complete ? to.end() : to.destroy()));
    },
  }),
  'open-streams': hasFewWorkers,
  'keys-apart': () =>
    cache(({ headers }) => (headers.authorization ? 'key' : undefined), {
      statuses: [200],
      invalidates: true,
    }),
  'no-key': () => cache(({ headers }) => (headers.authorization ? undefined : ''), { statuses: [200] }),
  'change-seen': () => cache(({ headers }) => headers.authorization, { statuses: [200] }),
  'rejection-not-cached': () => cache(({ headers }) => headers.authorization, { statuses: [401] }),
  'missing-not-cached': () => cache(({ headers }) => headers.authorization, { statuses: [404] }),
  'length-and-chunked': () => ({
    bytes: (text) =>
      /\r\ntransfer-encoding: chunked\r\n/i.test(text) ? text.replace(/content-length: \d+\r\n/i, '') : text,
  }),
  'two-lengths': () => ({
    bytes: (text) =>
      /content-length: .*\r\n(.*\r\n)*?content-length/i.test(text)
        ? text.replace(/content-length: (?!5\r)\d+\r\n/i, '')
        : text,
  }),
  'disguised-encoding': () => ({
    bytes: (text) =>
      text.includes('xchunked')
        ? text.replace('xchunked', 'chunked').replace(/content-length: \d+\r\n/i, '')
        : text,
  }),
  'malformed-length': () => ({ bytes: (text) => text.replace('Content-Length: 0x5', 'Content-Length: 5') }),
  'malformed-length-2': () => ({ bytes: (text) => text.replace('Content-Length: 0x5', 'Content-Length: 0') }),
  'forwarded-for': () => ({
    request({ headers }, incoming) {
      headers['x-forwarded-for'] = incoming.headers['x-forwarded-for'] ?? incoming.socket.remoteAddress;
    },
  }),
  host: () => ({
    request({ headers }) {
      headers.host = 'origin.internal';
    },
  }),
  'keep-alive': repeatsResponses,
  'own-response': repeatsFirstResponse,
  'closed-idle-connection': usesEndedConnections,
  'thousand-connections': () => ({ maxConnections: 200 }),
  'origin-restarts': staysDown,
};
