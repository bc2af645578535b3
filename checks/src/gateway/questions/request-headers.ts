import { advise, fail } from '../finding.ts';
import type { Request } from '../fixture.ts';
import type { Question } from '../question.ts';
import { list } from '../responses.ts';
import { mustBeForwarded } from './expect.ts';

const group = 'Requests are forwarded unchanged';
const post: Request = { method: 'POST', path: '/v2/store/orders', body: '{"petId":1,"quantity":1}' };

/** A question about one header that the origin must receive unchanged. */
const forwardsHeader = (name: string, value: string, hint: string, request: Request = {}): Question => ({
  id: name.toLowerCase(),
  group,
  requirement: `forwards ${name}`,
  hint,
  async run(fixture) {
    const { received } = await fixture.exchange({ ...request, headers: [[name, value]] });
    const got = received.header(name);
    if (got !== value)
      fail(`'${name}: ${value}' was sent; the origin received ${got === undefined ? 'none' : `'${got}'`}`);
  },
});

export const requestHeaders: readonly Question[] = [
  {
    id: 'authorization',
    group,
    requirement: 'forwards Authorization',
    hint: 'Forwards the key: every operation needs it.',
    async run(fixture) {
      const { received } = await fixture.exchange();
      const got = received.header('authorization');
      if (got !== `Bearer ${fixture.key}`)
        fail(`the origin received ${got === undefined ? 'no Authorization' : 'a different Authorization'}`);
    },
  },
  forwardsHeader(
    'Idempotency-Key',
    '"8e03978e-40d5 7"',
    'Forwards it: without it, a repeated POST places a second order.',
    post,
  ),
  forwardsHeader('Content-Type', 'application/json; charset=utf-8', 'Forwards it with its parameters.', post),
  forwardsHeader(
    'Prefer',
    'return=minimal, fault=delay; ms=20, now="2030-12-06T00:00:00Z"',
    'Forwards it: the sandbox depends on it.',
  ),
  forwardsHeader('Last-Event-ID', '9007199254740993', 'Forwards it: a stream resumes after this event.', {
    path: '/v2/store/events/stream',
  }),
  {
    id: 'trace',
    group,
    requirement: 'forwards traceparent and tracestate',
    hint: "Forwards both. A gateway that takes part in the trace preserves the trace id and other vendors' entries.",
    async run(fixture) {
      const id = '4bf92f3577b34da6a3ce929d0e0e4736';
      const { received } = await fixture.exchange({
        headers: [
          ['traceparent', `00-${id}-00f067aa0ba902b7-01`],
          ['tracestate', 'vendor=a1,other=b2'],
        ],
      });
      if (!received.header('traceparent')?.startsWith(`00-${id}-`))
        fail(`the origin received ${received.header('traceparent') ?? 'no traceparent'}`);
      const state = received.header('tracestate')?.replaceAll(' ', '') ?? '';
      if (!state.includes('vendor=a1,other=b2'))
        fail(`the origin received ${state === '' ? 'no tracestate' : `tracestate ${state}`}`);
    },
  },
  {
    id: 'if-none-match',
    group,
    requirement: 'supports conditional requests',
    hint: 'Forwards `If-None-Match`, or compares it itself, so that an unchanged list returns 304.',
    async run(fixture) {
      const etag = 'W/"x68rcsev3s3p-3"';
      fixture.respond((reply) => {
        const isSame = reply.request.header('if-none-match')?.includes(etag) === true;
        reply.respond(isSame ? { status: 304, headers: [['etag', etag]] } : list());
      });
      const { response, received } = await fixture.exchange({ headers: [['If-None-Match', etag]] });
      const isForwarded = received.header('if-none-match')?.includes(etag) === true;
      if (!isForwarded && response.status !== 304)
        fail(`the client received ${response.status} instead of 304: If-None-Match had no effect`);
    },
  },
  {
    id: 'hop-by-hop',
    group,
    requirement: 'removes hop-by-hop headers, and no others',
    hint: 'Removes `Connection`, `Keep-Alive` and what `Connection` names; never `Authorization`.',
    async run(fixture) {
      const { received } = await fixture.exchange({
        headers: [
          ['Connection', 'keep-alive, X-Hop'],
          ['Keep-Alive', 'timeout=5'],
          ['X-Hop', 'one'],
          ['X-End', 'two'],
        ],
      });
      if (received.header('authorization') === undefined) fail('Authorization was removed');
      if (received.header('x-end') !== 'two') fail('X-End was removed, but is not a hop-by-hop header');
      if (received.header('keep-alive') !== undefined) fail('Keep-Alive was forwarded');
      if (/x-hop/i.test(received.header('connection') ?? ''))
        fail("the client's Connection header was forwarded");
      if (received.header('x-hop') !== undefined) advise('forwards a header that Connection names');
    },
  },
  {
    id: 'expect-continue',
    group,
    requirement: 'handles Expect: 100-continue',
    hint: 'Sends 100, or forwards it, and then the body.',
    async run(fixture) {
      const body = 'x'.repeat(20_000);
      const connection = await fixture.connect();
      const headers = [
        ['Content-Length', String(body.length)],
        ['Expect', '100-continue'],
      ] as const;
      const response = await fixture.begin({ method: 'POST', path: '/v2/store/orders', headers }, connection);
      // Clients send the body after a while, even without a 100.
      await response.waitFor(
        () => response.interim.includes(100) || response.status !== undefined,
        fixture.settings.eventTimeout,
      );
      if (response.status !== undefined)
        fail(`the client received ${response.status} before it sent the body`);
      connection.write(body);
      await response.waitForEnd(fixture.settings.responseTimeout);
      const [received] = fixture.received;
      if (received?.body.toString() !== body)
        fail(
          `the origin received ${received ? `${received.body.length} of ${body.length} bytes of the body` : 'no request'}`,
        );
      mustBeForwarded(response, 200);
      if (!response.interim.includes(100))
        advise('sends no 100 Continue: clients wait for it before they send the body');
    },
  },
];
