import { type Random, randomFor } from '../random.ts';

/** Bytes for a raw socket, in chunks, and the permitted responses. */
export interface WireCase {
  readonly name: string;
  readonly chunks: readonly Buffer[];
  /** How many valid requests come first: each gets its response in order. */
  readonly validCount: number;
  /** True if none of the bytes after the valid requests may be accepted. */
  readonly rejected: boolean;
  /** True to disconnect without reading. */
  readonly disconnects: boolean;
}

interface Target {
  readonly host: string;
  readonly key: string;
}

type Generate = (random: Random, target: Target) => { text: string; rejected?: boolean };

const get = ({ host, key }: Target, path = '/v1/pets/1', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
const post = ({ host, key }: Target, framing: string, body: string) =>
  `POST /v2/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${framing}\r\n${body}`;
const pet = '{"name":"wire","category":"fuzz"}';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

const requestLines = [
  '',
  'GET',
  'GET /',
  'GET / HTTP',
  'GET / HTTP/',
  'GET / HTTP/1',
  'GET / HTTP/1.10',
  'GET / HTTP/9.9',
  'GET / HTTP/2.0',
  'GET / HTTP/-1.1',
  'GET / http/1.1',
  'GET  / HTTP/1.1',
  ' GET / HTTP/1.1',
  'GET\t/\tHTTP/1.1',
  'GET / HTTP/1.1 x',
  'G\0T / HTTP/1.1',
  'GET /\0 HTTP/1.1',
  'GET /\x7f HTTP/1.1',
  'GET /é HTTP/1.1',
  'NONSENSE / HTTP/1.1',
  `${'A'.repeat(5000)} / HTTP/1.1`,
  'get / HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET http:// HTTP/1.1',
  'GET http://a:999999/v1/pets/1 HTTP/1.1',
  'GET http://[::1/v1/pets HTTP/1.1',
  'GET //evil.example/v1/pets HTTP/1.1',
  'GET ?x HTTP/1.1',
  'GET pets HTTP/1.1',
  'GET / FTP/1.1',
  'CONNECT a:80 HTTP/1.1',
  'CONNECT / HTTP/1.1',
  'PRI * HTTP/2.0',
  'SOURCE / ICE/1.0',
  'ANNOUNCE / RTSP/1.0',
  'M-SEARCH / HTTP/1.1',
  'GET /%00 HTTP/1.1',
  'GET /../../etc/passwd HTTP/1.1',
  'GET /%zz HTTP/1.1',
  `GET /${'/'.repeat(3000)} HTTP/1.1`,
];
const oddHeaders = [
  'no colon',
  ': no name',
  ' Folded: x',
  'Name : x',
  'Na me: x',
  'Näme: x',
  'X: a\0b',
  'X: a\x01b',
  'X: a\rb',
  'X: a\r\n folded',
  'X: a\r\n\tfolded',
  'X: \x7f',
  'Host: other',
  'Host:',
  'Host: a b',
  'Content-Length: x',
  'Content-Length: -1',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 0x5',
  'Content-Length: 99999999999999999999',
  'Content-Length: ',
  'Transfer-Encoding: x',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding:\x0bchunked',
  'Connection: close, keep-alive',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Trailer: Host',
  'Proxy-Connection: keep-alive',
  'Authorization: Bearer x',
  'Keep-Alive: timeout=-1',
];

const generators: Readonly<Record<string, Generate>> = {
  'an invalid request line': (random, { host, key }) => ({
    text: `${random.pick(requestLines)}\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  }),
  'an odd header': (random, target) => ({
    text: get(target, '/v1/pets/1', `${random.pick(oddHeaders)}\r\n`),
  }),
  'conflicting content lengths': (_, target) => ({
    text: post(target, `Content-Length: ${pet.length}\r\nContent-Length: 5\r\n`, pet),
    rejected: true,
  }),
  'a content length and chunked encoding': (random, target) => ({
    text: post(
      target,
      random.pick([
        'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
        'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
      ]),
      `${chunk(pet)}0\r\n\r\n`,
    ),
    rejected: true,
  }),
  'invalid chunks': (random, target) => ({
    text: post(
      target,
      'Transfer-Encoding: chunked\r\n',
      random.pick([
        'x\r\n',
        '-1\r\na\r\n',
        `${'f'.repeat(17)}\r\n`,
        '5\r\nabc',
        '1\r\nabc\r\n',
        '1;a=b\r\na\r\n0\r\n',
        '0\r\nX: y',
        '\r\n',
        '0x5\r\nabcde\r\n0\r\n\r\n',
        '5 \r\nabcde\r\n',
        '1\nA\n0\n\n',
        `1;${'x'.repeat(40_000)}\r\n`,
        `0\r\n${'T: x\r\n'.repeat(5000)}`,
      ]),
    ),
    rejected: true,
  }),
  'one-byte chunks': (_, target) => ({
    text: post(target, 'Transfer-Encoding: chunked\r\n', `${[...pet].map(chunk).join('')}0\r\n\r\n`),
  }),
  'headers beyond the limit': (random, target) => ({
    text: get(
      target,
      '/v1/pets/1',
      random.pick([`X: ${'a'.repeat(60_000)}\r\n`, 'X: a\r\n'.repeat(9000), `${'X'.repeat(60_000)}: a\r\n`]),
    ),
  }),
  'a target beyond the limit': (random, target) => ({
    text: get(target, `/v1/pets/${'1'.repeat(random.pick([8100, 8200, 20_000, 70_000]))}`),
  }),
  'an absolute target': (random, target) => ({
    text: get(
      target,
      random.pick([
        'http://evil.example/v1/pets/1',
        'https://a@b/v1/pets',
        'http://a:999999/v1/pets/1',
        'HTTP://X/v1/pets/1',
        'http:///v1/pets',
        'ftp://x/v1/pets',
      ]),
    ),
  }),
  'half a request': (random, target) => {
    const whole = random.pick([get(target), post(target, `Content-Length: ${pet.length}\r\n`, pet)]);
    return { text: whole.slice(0, 1 + random.below(whole.length - 1)), rejected: true };
  },
  'an older HTTP version': (random, { key }) => ({
    text: random.pick([
      'GET /\r\n',
      'GET /\r\n\r\n',
      'GET /v1/pets HTTP/0.9\r\n\r\n',
      `GET /v1/pets/1 HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ]),
  }),
  'a newer HTTP version': () => ({
    text: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    rejected: true,
  }),
  'another protocol': (random) => ({
    text: random.pick([
      '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
      'SSH-2.0-OpenSSH\r\n',
      'EHLO x\r\n',
      '*1\r\n$4\r\nPING\r\n',
      '\0\0\0\x08\x04\xd2\x16\x2f',
      '{"json":true}\n',
      '\0'.repeat(2000),
      '\r\n'.repeat(2000),
    ]),
    rejected: true,
  }),
  noise: (random) => ({
    text: Array.from({ length: 1 + random.below(400) }, () => String.fromCharCode(random.below(256))).join(
      '',
    ),
  }),
  'a request with flipped bytes': (random, target) => {
    const bytes = [...post(target, `Content-Length: ${pet.length}\r\n`, pet)];
    for (let i = 1 + random.below(4); i > 0; i--)
      bytes[random.below(bytes.length)] = String.fromCharCode(random.below(256));
    return { text: bytes.join('') };
  },
  'upgrades and expectations': (random, target) => ({
    text: post(
      target,
      `${random.pick(['Expect: 100-continue', 'Expect: x', 'Connection: Upgrade\r\nUpgrade: websocket', 'Upgrade: h2c'])}\r\nContent-Length: ${pet.length}\r\n`,
      pet,
    ),
  }),
  'bare line feeds': (_, target) => ({ text: get(target).replaceAll('\r\n', '\n') }),
  'bare carriage returns': (_, target) => ({ text: get(target).replaceAll('\r\n', '\r') }),
};

/** The wire case with this number in a run. */
export function createWireCase(target: Target, seed: number, number: number): WireCase {
  const random = randomFor(seed, number);
  const name = random.pick(Object.keys(generators));
  const { text, rejected = false } = (generators[name] as Generate)(random, target);
  const validCount = random.chance(0.3) ? 1 + random.below(5) : 0;
  const hasFollowingRequest = random.chance(0.2);
  const bytes = Buffer.from(
    get(target).repeat(validCount) + text + (hasFollowingRequest ? get(target) : ''),
    'latin1',
  );
  return {
    name,
    chunks: splitAtRandom(random, bytes),
    validCount,
    // The bytes of a following request may complete the malformed one.
    rejected: rejected && !hasFollowingRequest,
    disconnects: random.chance(0.1),
  };
}

function splitAtRandom(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.5)) return [bytes];
  const cuts = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length)).sort(
    (a, b) => a - b,
  );
  return [...cuts, bytes.length]
    .map((cut, index) => bytes.subarray(cuts[index - 1] ?? 0, cut))
    .filter((chunk) => chunk.length > 0);
}
