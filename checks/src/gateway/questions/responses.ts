import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { advise, fail } from '../finding.ts';
import { describe, type Fixture, type Request } from '../fixture.ts';
import type { OriginResponse } from '../origin/reply.ts';
import type { Question } from '../question.ts';
import { errorOf, json, list, noContent, orders } from '../responses.ts';
import type { ClientResponse } from '../wire/client-response.ts';
import type { GatewayConnection } from '../wire/gateway-connection.ts';
import { mustBeForwarded } from './expect.ts';

const group = 'Responses are forwarded unchanged';

/** The client receives error responses with their status and body. */
async function mustForwardErrors(
  fixture: Fixture,
  errors: readonly (readonly [status: number, code: string])[],
  send: (originResponse: OriginResponse) => Promise<ClientResponse>,
): Promise<void> {
  for (const [status, code] of errors) {
    const body = errorOf(status, code, 'The order “2” has already shipped.');
    const response = await send(json(status, body));
    if (fixture.received.length === 0) fail(`the request did not reach the origin: ${describe(response)}`);
    mustBeForwarded(response, status, body);
    const type = response.header('content-type');
    if (type !== 'application/json')
      fail(`the Content-Type of the ${status} is ${type} instead of application/json`);
  }
}

/** After a response without a body, the next response on the connection must be a whole one. */
async function mustStayInStep(fixture: Fixture, connection: GatewayConnection): Promise<void> {
  if (!connection.socket.writable) return;
  fixture.respond(list('7'));
  const next = await fixture.send({}, connection);
  // The gateway may close the connection; what it sends on it must be a response.
  if (next.isConnectionClosed) return;
  if (next.status !== 200 || next.text !== orders('7'))
    fail(
      `the next response on the connection was not understood: ${describe(next)} ${next.text.slice(0, 60)}`,
    );
}

/** A question about a response without a body, and about the next response on the same connection. */
const bodilessResponse = (
  id: string,
  requirement: string,
  hint: string,
  request: Request,
  originResponse: OriginResponse,
): Question => ({
  id,
  group,
  requirement,
  hint,
  async run(fixture) {
    fixture.respond(originResponse);
    const connection = await fixture.connect();
    const response = await fixture.send(request, connection);
    if (fixture.received.length === 0) fail(`the request did not reach the origin: ${describe(response)}`);
    mustBeForwarded(response, originResponse.status);
    if (request.method === 'HEAD') {
      const length =
        response.header('content-length') ?? String(Buffer.byteLength(originResponse.body ?? ''));
      if (length !== String(Buffer.byteLength(originResponse.body ?? '')))
        fail(`Content-Length is ${length} instead of ${Buffer.byteLength(originResponse.body ?? '')}`);
    }
    await mustStayInStep(fixture, connection);
  },
});

export const responses: readonly Question[] = [
  {
    id: 'errors',
    group,
    requirement: 'forwards 400, 401, 404, 409, 410, 422 and 429 with their bodies',
    hint: 'Forwards status and body: clients read the code in the Error object.',
    async run(fixture) {
      const errors = [
        [400, 'invalid_parameter'],
        [401, 'invalid_api_key'],
        [404, 'not_found'],
        [409, 'order_already_shipped'],
        [410, 'gone'],
        [422, 'unknown_pet'],
        [429, 'rate_limited'],
      ] as const;
      await mustForwardErrors(fixture, errors, (originResponse) => {
        fixture.respond(originResponse);
        return fixture.send();
      });
    },
  },
  {
    id: 'server-errors',
    group,
    requirement: 'forwards 500 and 503 with their bodies',
    hint: 'Forwards status and body, even of a server error.',
    when: 'failing',
    async run(fixture) {
      const errors = [
        [500, 'internal_error'],
        [503, 'unavailable'],
      ] as const;
      await mustForwardErrors(fixture, errors, (originResponse) => fixture.sendWhenReady({}, originResponse));
    },
  },
  bodilessResponse(
    'no-content',
    'forwards 204 without a body',
    'Forwards it without a body: the next response on the connection follows at once.',
    { method: 'DELETE', path: '/v1/store/orders/2' },
    noContent,
  ),
  bodilessResponse(
    'not-modified',
    'forwards 304 without a body',
    'Forwards it without a body.',
    { headers: [['If-None-Match', 'W/"x68rcsev3s3p-3"']] },
    { status: 304, headers: [['etag', 'W/"x68rcsev3s3p-3"']] },
  ),
  bodilessResponse(
    'head',
    'forwards the response to HEAD without a body',
    'Forwards the headers only, with the Content-Length of the GET.',
    { method: 'HEAD' },
    list(),
  ),
  {
    id: 'int64',
    group,
    requirement: 'preserves every digit of an int64',
    hint: 'Does not parse JSON, or keeps 9223372036854775807 exact.',
    async run(fixture) {
      const ids = ['9007199254740993', '9223372036854775807'];
      fixture.respond(list(...ids));
      const { response } = await fixture.exchange();
      mustBeForwarded(response, 200, orders(...ids));
    },
  },
  {
    id: 'response-bytes',
    group,
    requirement: 'forwards a response body byte by byte',
    hint: 'Forwards bytes: spaces, escapes and UTF-8, however they are split into chunks.',
    async run(fixture) {
      const body = Buffer.from(
        '[ {"name":"J\\u00fcrgen"},\r\n\t{"name":"Žofie 🐕"},{"quantity":1e0} ]\n'.repeat(2_000),
      );
      fixture.respond((reply) => {
        reply.begin(200, [['content-type', 'application/json']]);
        for (let at = 0; at < body.length; at += 997) reply.chunk(body.subarray(at, at + 997));
        reply.end();
      });
      const { response } = await fixture.exchange();
      mustBeForwarded(response, 200, body);
    },
  },
  {
    id: 'compression',
    group,
    requirement: 'compresses a response once, for clients that accept it',
    hint: 'Forwards a compressed response as it is, and compresses none without `Accept-Encoding`.',
    async run(fixture) {
      const body = orders(...Array.from({ length: 200 }, (_, at) => String(at + 1)));
      fixture.respond((reply) => {
        const accepts = /gzip/.test(reply.request.header('accept-encoding') ?? '');
        const uncompressed = json(200, body, accepts ? [['content-encoding', 'gzip']] : []);
        reply.respond(accepts ? { ...uncompressed, body: gzipSync(body) } : uncompressed);
      });
      const { response: plain } = await fixture.exchange();
      mustBeForwarded(plain, 200);
      if (plain.text !== body)
        fail(`a client without Accept-Encoding got ${plain.header('content-encoding') ?? 'another body'}`);
      const { response } = await fixture.exchange({ headers: [['Accept-Encoding', 'gzip']] });
      mustBeForwarded(response, 200);
      const encoding = response.header('content-encoding') ?? 'identity';
      if (encoding !== 'gzip' && encoding !== 'identity')
        fail(`Content-Encoding is '${encoding}' instead of 'gzip'`);
      if (textOf(response.body, encoding) !== body) fail(`the body is not encoded with '${encoding}'`);
    },
  },
  {
    id: 'truncated',
    group,
    requirement: 'does not pass off a truncated response as complete',
    hint: 'Closes the connection, too, or responds with 502: half a list must not look like a whole one.',
    when: 'failing',
    async run(fixture) {
      const body = orders('1', '2', '3');
      for (const isChunked of [false, true]) {
        const response = await fixture.sendWhenReady({}, (reply) => {
          if (isChunked) reply.begin(200, [['content-type', 'application/json']]);
          else
            reply.sendHead(200, [
              ['content-type', 'application/json'],
              ['content-length', String(body.length)],
            ]);
          const half = body.slice(0, body.length / 2);
          if (isChunked) reply.chunk(half);
          else reply.send(half);
          reply.close();
        });
        if (!response.isOver)
          fail(`the origin closed the connection after half of the body; the client waits for the rest`);
        if (!response.isComplete || (response.status ?? 0) >= 500) continue;
        const framing = fixture.replies.at(-1)?.canChunk
          ? isChunked
            ? 'chunked'
            : 'Content-Length'
          : 'HTTP/1.0, where the body ends when the connection closes';
        fail(
          `the origin sent half of a body (${framing}) and closed; ${response.size} of ${body.length} bytes reached the client as a complete ${response.status}`,
        );
      }
    },
  },
  {
    id: 'large-list',
    group,
    requirement: 'streams a list of 100 MB',
    hint: 'Reads from the origin as fast as the client reads, without buffering the list.',
    when: 'alone',
    async run(fixture) {
      const piece = Buffer.alloc(100_000, orders('1'));
      const pieces = fixture.settings.pieces;
      let sent = 0;
      fixture.respond(async (reply) => {
        reply.begin(200, [['content-type', 'application/json']]);
        for (; sent < pieces; sent += 1) {
          if (!reply.chunk(piece) && !(await reply.waitForDrain(3 * fixture.settings.responseTimeout)))
            return;
        }
        reply.end();
      });
      const connection = await fixture.connect();
      connection.socket.pause();
      const response = await fixture.begin({}, connection);
      await fixture.waitForReceived(1);
      // The client reads nothing until the origin has sent everything, or can send no more.
      for (let before = -1; before < sent && sent < pieces; await wait(fixture.settings.idle)) before = sent;
      const isStored = sent === pieces;
      connection.socket.resume();
      await response.waitForEnd(3 * fixture.settings.responseTimeout);
      if (response.status !== 200) fail(`the client received ${describe(response)}`);
      const expected = pieces * piece.length;
      if (!response.isComplete || response.size !== expected)
        fail(
          `the client received ${response.size} of ${expected} bytes within ${(3 * fixture.settings.responseTimeout) / 1000} s`,
        );
      if (isStored)
        advise(
          `stores the whole list of ${expected / 1e6} MB in memory or in a file while its client reads nothing`,
        );
    },
  },
];

function textOf(body: Buffer, encoding: string): string {
  try {
    return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
  } catch {
    return '';
  }
}
