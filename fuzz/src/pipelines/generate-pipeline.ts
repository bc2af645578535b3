import { type Random, randomFor } from '../random.ts';

/** A complete request. Its response has the same request ID. */
interface PipelinedRequest {
  readonly id: string;
  readonly method: string;
}

/** The bytes for one connection, and its client's behavior. */
export interface Pipeline {
  /** Complete requests, in order. */
  readonly requests: readonly PipelinedRequest[];
  /** True if an incomplete request follows. */
  readonly hasIncompleteRequest: boolean;
  readonly chunks: readonly Buffer[];
  readonly pauses: 'none' | 'a tick' | 'milliseconds';
  readonly reads: 'all' | 'slowly' | 'nothing';
  readonly leaves: 'when served' | 'half-closing' | 'abruptly';
}

interface Target {
  readonly host: string;
  readonly key: string;
}

const LONG_LIST = '/v1/store/orders';
const paths = ['/', '/healthz', '/v1/pets', '/v1/pets/1', '/v2/store/orders?limit=5', '/nowhere', LONG_LIST];
const order = '{"petId":1,"quantity":1}';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';

/** The rest of a head and the body, in every framing. */
const bodies: ReadonlyArray<(random: Random) => string> = [
  () => `Content-Length: ${order.length}\r\n\r\n${order}`,
  () => `Content-Length: ${order.length}\r\nExpect: 100-continue\r\n\r\n${order}`,
  () => `Transfer-Encoding: chunked\r\n\r\n${chunk(order)}${lastChunk}`,
  () => `Transfer-Encoding: chunked\r\n\r\n${[...order].map(chunk).join('')}${lastChunk}`,
  (random) => {
    const text = ' '.repeat(1 + random.below(60_000)) + order;
    return `Content-Length: ${text.length}\r\n\r\n${text}`;
  },
];

/** Incomplete requests: a partial head or body, a client that waits for 100 Continue, noise. */
const incompleteRequests = [
  'GET /v1/pets HTT',
  'GET / HTTP/1.1\r\nHost: x\r\n',
  'POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf',
  'POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 24\r\nExpect: 100-continue\r\n\r\n',
  'POST /v2/store/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
  '\r\n\r\n\r\n',
  '\0\x01noise\r\n\r\n',
];

/** The pipeline with this number in a run. */
export function createPipeline({ host, key }: Target, seed: number, number: number): Pipeline {
  const random = randomFor(seed, number);
  const requests: PipelinedRequest[] = [];
  let text = '';
  for (let index = 1 + random.below(5); index > 0; index--) {
    const id = `pipeline.${seed}.${number}.${requests.length}`;
    const method = random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'DELETE']);
    const path = method === 'POST' ? '/v2/store/orders' : random.pick(paths);
    const authorization = random.chance(0.9) ? `Authorization: Bearer ${key}\r\n` : '';
    const type = method === 'POST' ? 'Content-Type: application/json\r\n' : '';
    text += `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: ${id}\r\n${authorization}${type}`;
    // Some requests of other methods have a body, too, which the service skips.
    text += method === 'POST' || random.chance(0.2) ? random.pick(bodies)(random) : '\r\n';
    requests.push({ id, method });
  }
  const hasIncompleteRequest = random.chance(0.2);
  if (hasIncompleteRequest) text += random.pick(incompleteRequests);
  return {
    requests,
    hasIncompleteRequest,
    chunks: splitAtRandom(random, Buffer.from(text, 'latin1')),
    pauses: random.pick(['none', 'a tick', 'milliseconds']),
    reads: random.pick(['all', 'all', 'all', 'slowly', 'nothing']),
    leaves: random.pick(['when served', 'when served', 'half-closing', 'abruptly']),
  };
}

/** Splits the bytes into 1 to 30 chunks. */
function splitAtRandom(random: Random, bytes: Buffer): Buffer[] {
  const count = random.pick([1, 1, 2, 4, 30]);
  const cuts = Array.from({ length: count - 1 }, () => random.below(bytes.length)).sort((a, b) => a - b);
  return [...cuts, bytes.length]
    .map((cut, index) => bytes.subarray(cuts[index - 1] ?? 0, cut))
    .filter((chunk) => chunk.length > 0);
}
