import { unescape as unescaped } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Job, Step } from '../concurrency/background-jobs.ts';
import { keyInCutText } from '../domain/key-format.ts';
import { type Exchange, MAX_OBSERVED_BYTES } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { MAX_REJECTED, MAX_REQUESTS, NO_STATUS, recordRequests, requestIdAt } from './record-requests.ts';

/** Of all stores together; further requests are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Memory of a request besides its texts. */
const MIN_REQUEST_BYTES = 4 * 1024;
/** Small, so that other changes do not wait long. */
const MAX_PER_CHANGE = 250;
const MAX_PATH = 2000;
const MAX_USER_AGENT = 200;

/** Records the last requests of each store: buffered in memory, written in batches once a second. */
export function openInspector(writer: Writer, now: () => number, restMs = 1_000) {
  /** By store, and separately for rejected keys, so that those evict few other requests. */
  let buffers = new Map<string, BufferedRequest[]>();
  let bufferedBytes = 0;
  let next = Math.floor(Math.random() * 2 ** 20);

  function note(exchange: Exchange): void {
    const request = summarize(exchange, now());
    if (!request) return;
    const name = `${request.row.store_id} ${request.isRejected}`;
    const buffer = buffers.get(name) ?? [];
    if (buffer.length === (request.isRejected ? MAX_REJECTED : MAX_REQUESTS))
      bufferedBytes -= bytesOf(buffer.shift() as BufferedRequest);
    const bytes = bytesOf(request);
    if (bufferedBytes + bytes > MAX_BUFFERED_BYTES) return;
    bufferedBytes += bytes;
    buffer.push(request);
    buffers.set(name, buffer);
  }

  async function finish(step: Step): Promise<void> {
    const buffered = [...buffers.values()].flat();
    buffers = new Map();
    bufferedBytes = 0;
    for (let first = 0; first < buffered.length; first += MAX_PER_CHANGE) {
      const batch = buffered.slice(first, first + MAX_PER_CHANGE);
      await step(() => {
        const requests = batch.map((request) => ({ ofKey: request.ofKey, row: rowOf(request, next++) }));
        return writer.apply(recordRequests, { requests });
      });
    }
  }

  const run: Job['run'] = (_, step) => finish(step);
  return { name: 'inspector', restMs, note, run, finish };
}

type Body = string | Buffer | undefined;

type BufferedRequest = NonNullable<ReturnType<typeof summarize>>;

/** Hot path: rows are built later. Undefined for requests that are not recorded. */
function summarize({ request, response, ms }: Exchange, at: number) {
  const { caller, operation, headers, url } = request;
  const owner = caller ?? request.rejectedKey;
  const isConsole = caller?.sessionId && headers['x-tried-out'] === undefined;
  // Requests of the console and for this list would evict those of clients.
  if (!owner || isConsole || operation.operationId === 'listRequests') return undefined;
  const { status, error, isReplacedByFault, body, uncompressed } = response;
  return {
    at,
    isRejected: caller === null,
    ofKey: owner.keyId,
    path: beginningOf(url, MAX_PATH),
    userAgent: beginningOf(headers['user-agent'], MAX_USER_AGENT),
    requestHeaders: firstHeaders(Object.entries(headers)),
    responseHeaders: isReplacedByFault
      ? []
      : firstHeaders(pairsOf(request.responseHeaders, response.headers)),
    requestBody: beginningOf(request.bodyBytes, MAX_OBSERVED_BYTES),
    responseBody: beginningOf(
      uncompressed ?? (body instanceof Readable ? undefined : body),
      MAX_OBSERVED_BYTES,
    ),
    row: {
      store_id: owner.storeId,
      key_id: caller?.sessionId ? 'session' : owner.keyId,
      request_id: request.id,
      method: request.method,
      operation: operation.operationId ?? null,
      status: isReplacedByFault ? NO_STATUS : BigInt(status),
      error: isReplacedByFault ? null : (error ?? null),
      fault: request.fault?.kind ?? null,
      micros: BigInt(Math.round(ms * 1000)),
      traceparent: request.traceparent ?? null,
    },
  };
}

function bytesOf({ path, userAgent, requestHeaders, responseHeaders, ...bodies }: BufferedRequest): number {
  const parts = [path, userAgent, bodies.requestBody, bodies.responseBody];
  const lengths = parts.map((part) => part?.length ?? 0);
  const ofHeaders = [...requestHeaders, ...responseHeaders].map(lengthOf);
  return [...lengths, ...ofHeaders].reduce((sum, length) => sum + length, MIN_REQUEST_BYTES);
}

function rowOf(request: BufferedRequest, sequence: number) {
  return {
    ...request.row,
    id: requestIdAt(request.at, sequence),
    path: textOf(request.path) ?? '',
    user_agent: textOf(request.userAgent),
    request_headers: headersText(request.requestHeaders),
    response_headers: headersText(request.responseHeaders),
    request_body: textOf(request.requestBody),
    answer_body: textOf(request.responseBody),
  };
}

type Header = readonly [name: string, value: string | string[] | undefined];

function* pairsOf(...lists: ReadonlyArray<readonly string[] | undefined>): Generator<Header> {
  for (const list of lists)
    for (let i = 0; list && i < list.length; i += 2) yield [list[i] as string, list[i + 1]];
}

const lengthOf = ([name, value]: Header) => name.length + String(value).length;

/** The headers that fit into the limit of a body. */
function firstHeaders(headers: Iterable<Header>): Header[] {
  const first: Header[] = [];
  let length = 0;
  for (const header of headers) {
    length += lengthOf(header);
    if (length > MAX_OBSERVED_BYTES) break;
    first.push(header);
  }
  return first;
}

const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** A JSON object; repeated headers are joined. Values of credentials are replaced. */
function headersText(headers: readonly Header[]): string | null {
  if (headers.length === 0) return null;
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const text = credentials.has(name) ? '…' : textOf([value].flat().join(', '));
    joined.set(name, [joined.get(name), text].filter((part) => part !== undefined).join(', '));
  }
  return JSON.stringify(Object.fromEntries(joined));
}

/** Copies the beginning, so that the rest can be garbage-collected. */
function beginningOf(body: Body, max: number): Body {
  if (!body || body.length <= max) return body;
  return Buffer.from(typeof body === 'string' ? body.slice(0, max) : body.subarray(0, max));
}

/** Limited in bytes, not characters. */
function textOf(body: Body): string | null {
  if (!body || body.length === 0) return null;
  const text = Buffer.from(body as string).toString('utf8', 0, MAX_OBSERVED_BYTES);
  return withoutSecrets(text.replaceAll('\0', '\uFFFD').toWellFormed());
}

const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;

/** Replaces secrets. If URL or JSON escapes hide a key, cuts the text at the first escape. */
function withoutSecrets(text: string): string {
  const plain = withoutKeys(text).replace(webhookSecret, 'whsec_…');
  const first = plain.search(/%|\\(?:u|$)/);
  const isHidden = first !== -1 && withoutEscapes(plain).search(keyInCutText) !== -1;
  return isHidden ? `${withoutKeys(plain.slice(0, first))}${plain[first]}…` : plain;
}

/** The last escape may be cut off. */
function withoutEscapes(text: string): string {
  const plain = text
    .replace(/\\(?:u.{0,3})?$/, '')
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)));
  return unescaped(plain.replace(/%.?$/, ''));
}

function withoutKeys(text: string): string {
  return text.replace(keyInCutText, '$1…');
}
