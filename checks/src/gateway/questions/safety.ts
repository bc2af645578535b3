import { setTimeout as wait } from 'node:timers/promises';
import { advise, fail } from '../finding.ts';
import type { Fixture } from '../fixture.ts';
import type { Question } from '../question.ts';
import { list } from '../responses.ts';

const group = 'Safety';

interface AmbiguousFraming {
  /** Headers that frame the body in two ways. `LENGTH` stands for its length. */
  readonly headers: readonly string[];
  /** What precedes the hidden request in the body. */
  readonly before?: string;
}

/** Sends a request whose body hides another one. The origin must see one request at most, which it may reject. */
async function mustNotSplit(
  fixture: Fixture,
  { headers, before = '0\r\n\r\n' }: AmbiguousFraming,
): Promise<void> {
  const authorization = `Authorization: Bearer ${fixture.key}`;
  const host = `Host: ${fixture.url.host}`;
  const hidden = `DELETE ${fixture.target('/v1/store/orders/2')} HTTP/1.1\r\n${host}\r\n${authorization}\r\n\r\n`;
  const length = before.length + hidden.length;
  const framing = headers.map((header) => header.replace('LENGTH', String(length)));
  const head = [
    `POST ${fixture.target('/v2/store/orders')} HTTP/1.1`,
    host,
    authorization,
    'Content-Type: application/json',
    ...framing,
  ];
  const response = await fixture.sendRaw('POST', `${head.join('\r\n')}\r\n\r\n${before}${hidden}`);
  await response.waitForEnd(fixture.settings.eventTimeout * 2);
  // A hidden request would follow the first at once.
  await wait(fixture.settings.idle);
  const startLines = fixture.received.map(({ startLine }) => startLine);
  const [first] = startLines;
  if (first?.startsWith('DELETE')) fail(`the origin received the request in the body: ${first.slice(0, 40)}`);
  if (startLines.length > 1)
    fail(
      `one request was sent; the origin received ${startLines.length}: ${startLines.map((line) => line.slice(0, 40)).join(' and ')}`,
    );
}

const smuggling = (id: string, ambiguity: string, ...framings: readonly AmbiguousFraming[]): Question => ({
  id,
  group,
  requirement: `forwards a request with ${ambiguity} as at most one request`,
  hint: 'Rejects it with 400, or frames it in one way only and closes the connection.',
  async run(fixture) {
    for (const framing of framings) {
      await mustNotSplit(fixture, framing);
      fixture.received.length = 0;
    }
  },
});

export const safety: readonly Question[] = [
  smuggling(
    'length-and-chunked',
    'Content-Length and Transfer-Encoding',
    {
      headers: ['Content-Length: LENGTH', 'Transfer-Encoding: chunked'],
    },
    { headers: ['Transfer-Encoding: chunked', 'Content-Length: LENGTH'] },
  ),
  smuggling(
    'two-lengths',
    'two values of Content-Length',
    { headers: ['Content-Length: 5', 'Content-Length: LENGTH'] },
    { headers: ['Content-Length: LENGTH', 'Content-Length: 5'] },
    { headers: ['Content-Length: 5, LENGTH'] },
  ),
  smuggling(
    'disguised-encoding',
    'an obfuscated Transfer-Encoding',
    { headers: ['Content-Length: LENGTH', 'Transfer-Encoding : chunked'] },
    { headers: ['Content-Length: LENGTH', 'Transfer-Encoding: xchunked'] },
    { headers: ['Content-Length: LENGTH', 'Transfer-Encoding: xchunked'], before: '' },
    { headers: ['Content-Length: LENGTH', 'Transfer-Encoding: \x0bchunked'] },
    { headers: ['Content-Length: LENGTH', 'X: y\r\n Transfer-Encoding: chunked'] },
    { headers: ['Content-Length: LENGTH', 'Transfer-Encoding: identity, chunked'] },
  ),
  smuggling(
    'malformed-length',
    'a malformed Content-Length',
    { headers: ['Content-Length: 0x5'] },
    { headers: ['Content-Length: 5 5'] },
    { headers: ['Content-Length: -1'] },
    // As if it had no body.
    { headers: ['Content-Length: 0x5'], before: '' },
    { headers: ['Content-Length: -1'], before: '' },
  ),
  {
    id: 'forwarded-for',
    group,
    requirement: 'does not trust X-Forwarded-For',
    hint: 'Appends the address of the client, or replaces the header: with --trust-proxy, limits count by the last address.',
    async run(fixture) {
      const claimed = '203.0.113.7';
      const { received } = await fixture.exchange({ headers: [['X-Forwarded-For', claimed]] });
      const got = received.header('x-forwarded-for');
      if (got === undefined) advise('removes X-Forwarded-For: to the service, all clients share one address');
      if (got.split(',').at(-1)?.trim() === claimed)
        fail(`'X-Forwarded-For: ${claimed}' was forwarded without the address of the client`);
    },
  },
  {
    id: 'host',
    group,
    requirement: 'forwards Host',
    hint: 'Forwards the host that the client used: the service shows it in its documents.',
    async run(fixture) {
      const { received } = await fixture.exchange();
      const got = received.header('host');
      if (got !== fixture.url.host)
        fail(`'Host: ${fixture.url.host}' was sent; the origin received '${got}'`);
    },
  },
  {
    id: 'operator-paths',
    group,
    requirement: 'does not expose /metrics, /healthz and /readyz by accident',
    hint: 'Forwards only what clients need.',
    async run(fixture) {
      fixture.respond(list());
      const exposed: string[] = [];
      for (const path of ['/metrics', '/healthz', '/readyz']) {
        const { status } = await fixture.send({ path });
        if (fixture.received.splice(0).length > 0 && status === 200) exposed.push(path);
      }
      if (exposed.length > 0) advise(`exposes ${exposed.join(', ')}`);
    },
  },
];
