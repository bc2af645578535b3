import { setTimeout as wait } from 'node:timers/promises';
import { advise, fail } from '../finding.ts';
import type { Question } from '../question.ts';
import { list } from '../responses.ts';
import type { Stage } from '../stage.ts';

const group = 'Safety';

interface AmbiguousFraming {
  /** Headers that frame the body in two ways. `LENGTH` stands for its length. */
  readonly headers: readonly string[];
  /** What precedes the hidden request in the body. */
  readonly before?: string;
}

/** Sends a request whose body hides another one. The origin must see one request at most, which it may reject. */
async function mustNotSplit(
  stage: Stage,
  { headers, before = '0\r\n\r\n' }: AmbiguousFraming,
): Promise<void> {
  const authorization = `Authorization: Bearer ${stage.key}`;
  const host = `Host: ${stage.url.host}`;
  const hidden = `DELETE ${stage.target('/v1/store/orders/2')} HTTP/1.1\r\n${host}\r\n${authorization}\r\n\r\n`;
  const length = before.length + hidden.length;
  const framing = headers.map((header) => header.replace('LENGTH', String(length)));
  const head = [
    `POST ${stage.target('/v2/store/orders')} HTTP/1.1`,
    host,
    authorization,
    'Content-Type: application/json',
    ...framing,
  ];
  const response = await stage.sendRaw('POST', `${head.join('\r\n')}\r\n\r\n${before}${hidden}`);
  await response.waitForEnd(stage.settings.eventTimeout * 2);
  // A hidden request would follow the first at once.
  await wait(stage.settings.idle);
  const startLines = stage.received.map(({ startLine }) => startLine);
  if (startLines.length > 1)
    fail(
      `one request was sent; the origin received ${startLines.length}: ${startLines.map((line) => line.slice(0, 40)).join(' and ')}`,
    );
}

const smuggling = (id: string, ask: string, ...framings: readonly AmbiguousFraming[]): Question => ({
  id,
  group,
  ask: `forwards a request with ${ask} as at most one request`,
  expectation: 'Rejects it with 400, or frames it in one way only and closes the connection.',
  async run(stage) {
    for (const framing of framings) {
      await mustNotSplit(stage, framing);
      stage.received.length = 0;
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
  ),
  {
    id: 'forwarded-for',
    group,
    ask: 'does not trust X-Forwarded-For',
    expectation:
      'Appends the address of the client, or replaces the header: with --trust-proxy, limits count by the last address.',
    async run(stage) {
      const claimed = '203.0.113.7';
      const { received } = await stage.exchange({ headers: [['X-Forwarded-For', claimed]] });
      const got = received.header('x-forwarded-for');
      if (got === undefined) advise('removes X-Forwarded-For: to the service, all clients share one address');
      if (got.split(',').at(-1)?.trim() === claimed)
        fail(`'X-Forwarded-For: ${claimed}' was forwarded without the address of the client`);
    },
  },
  {
    id: 'host',
    group,
    ask: 'forwards Host',
    expectation: 'Forwards the host that the client used: the service shows it in its documents.',
    async run(stage) {
      const { received } = await stage.exchange();
      const got = received.header('host');
      if (got !== stage.url.host) fail(`'Host: ${stage.url.host}' was sent; the origin received '${got}'`);
    },
  },
  {
    id: 'operator-paths',
    group,
    ask: 'does not expose /metrics, /healthz and /readyz by accident',
    expectation: 'Forwards only what clients need.',
    async run(stage) {
      stage.respond(list());
      const exposed: string[] = [];
      for (const path of ['/metrics', '/healthz', '/readyz']) {
        const { status } = await stage.send({ path });
        if (stage.received.splice(0).length > 0 && status === 200) exposed.push(path);
      }
      if (exposed.length > 0) advise(`exposes ${exposed.join(', ')}`);
    },
  },
];
