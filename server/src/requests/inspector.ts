import { unescape as unescaped } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Job, Step } from '../concurrency/background-jobs.ts';
import { keyInTruncatedText } from '../domain/key-format.ts';
import { type Exchange, MAX_OBSERVED_BYTES, type RejectedKey } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { MAX_REJECTED, MAX_REQUESTS, NO_STATUS, recordRequests, requestIdAt } from './record-requests.ts';

/** For all stores together; further requests are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
/** Memory of a request in addition to its texts. */
const MIN_REQUEST_BYTES = 4 * 1024;
/** Small, so that other changes do not wait long. */
const BATCH_SIZE = 250;
const MAX_PATH = 2000;
const MAX_USER_AGENT = 200;

/** Records the last requests of each store: buffered in memory, written in batches once a second. */
export function createInspector(writer: Writer, now: () => number, intervalMs = 1_000) {
  /** By store, and separately for rejected keys, so that those evict few other requests. */
  let buffers = new Map<string, LastRequests>();
  let bufferedBytes = 0;
  /** Starts at random, so that the ids of replicas rarely collide. */
  let sequence = Math.floor(Math.random() * 2 ** 20);

  function record(exchange: Exchange): void {
    if (!isRecorded(exchange)) return;
    const request = new RecordedRequest(exchange, now());
    const name = `${request.storeId} ${request.isRejected}`;
    const buffer = buffers.get(name) ?? { requests: [], next: 0 };
    const added = request.bytes - (buffer.requests[buffer.next]?.bytes ?? 0);
    if (bufferedBytes + added > MAX_BUFFERED_BYTES) return;
    bufferedBytes += added;
    buffer.requests[buffer.next] = request;
    buffer.next = (buffer.next + 1) % (request.isRejected ? MAX_REJECTED : MAX_REQUESTS);
    buffers.set(name, buffer);
  }

  async function flush(step: Step): Promise<void> {
    const buffered = [...buffers.values()].flatMap(inOrder);
    buffers = new Map();
    bufferedBytes = 0;
    for (let first = 0; first < buffered.length; first += BATCH_SIZE) {
      const batch = buffered.slice(first, first + BATCH_SIZE);
      await step(() => {
        const requests = batch.map((request) => ({ keyId: request.keyId, row: rowOf(request, sequence++) }));
        return writer.apply(recordRequests, { requests });
      });
    }
  }

  const run: Job['run'] = (_, step) => flush(step);
  return { name: 'inspector', intervalMs, record, run, finish: flush };
}

type Body = string | Buffer | undefined;

/** A ring buffer: the request at `next` is overwritten next. */
interface LastRequests {
  readonly requests: RecordedRequest[];
  next: number;
}

function inOrder({ requests, next }: LastRequests): RecordedRequest[] {
  return [...requests.slice(next), ...requests.slice(0, next)];
}

/** Requests of the console, except from its API reference, and requests for this list would evict those of clients. */
function isRecorded({ request: { caller, rejectedKey, headers, operation } }: Exchange): boolean {
  const isConsole = caller?.sessionId && headers['x-tried-out'] === undefined;
  return Boolean(caller ?? rejectedKey) && !isConsole && operation.operationId !== 'listRequests';
}

/**
 * Hot path: rows are built later. A class, because V8 would learn that such object literals live long and allocate them in
 * the old generation, so that only full collections free their texts: a fifth of the cost of a request.
 */
class RecordedRequest {
  readonly at: number;
  readonly ms: number;
  readonly isRejected: boolean;
  readonly storeId: bigint;
  readonly keyId: string;
  readonly isOfSession: boolean;
  readonly id: string;
  readonly method: string;
  readonly operationId: string | undefined;
  readonly traceparent: string | undefined;
  readonly fault: string | undefined;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly path: Body;
  readonly userAgent: Body;
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly requestBody: Body;
  readonly responseBody: Body;
  readonly bytes: number;

  constructor({ request, response, ms }: Exchange, at: number) {
    const { caller, headers } = request;
    const { keyId, storeId } = (caller ?? request.rejectedKey) as RejectedKey;
    const { body, uncompressed, isReplacedByFault } = response;
    this.at = at;
    this.ms = ms;
    this.isRejected = caller === null;
    this.storeId = storeId;
    this.keyId = keyId;
    this.isOfSession = Boolean(caller?.sessionId);
    this.id = request.id;
    this.method = request.method;
    this.operationId = request.operation.operationId;
    this.traceparent = request.traceparent;
    this.fault = request.fault?.kind;
    this.status = isReplacedByFault ? undefined : response.status;
    this.error = isReplacedByFault ? undefined : response.error;
    this.path = beginningOf(request.url, MAX_PATH);
    this.userAgent = beginningOf(headers['user-agent'], MAX_USER_AGENT);
    this.requestHeaders = firstHeaders(request.raw.rawHeaders);
    const sent = isReplacedByFault ? [] : request.responseHeaders.concat(response.headers ?? []);
    this.responseHeaders = firstHeaders(sent);
    this.requestBody = beginningOf(request.bodyBytes, MAX_OBSERVED_BYTES);
    const shown = uncompressed ?? (body instanceof Readable ? undefined : body);
    this.responseBody = beginningOf(shown, MAX_OBSERVED_BYTES);
    this.bytes = bytesOf(this);
  }
}

function bytesOf(request: Omit<RecordedRequest, 'bytes'>): number {
  const { path, userAgent, requestBody, responseBody } = request;
  let bytes = MIN_REQUEST_BYTES;
  for (const part of [path, userAgent, requestBody, responseBody]) bytes += part?.length ?? 0;
  for (const text of request.requestHeaders) bytes += text.length;
  for (const text of request.responseHeaders) bytes += text.length;
  return bytes;
}

function rowOf(request: RecordedRequest, sequence: number) {
  const { status } = request;
  return {
    id: requestIdAt(request.at, sequence),
    store_id: request.storeId,
    key_id: request.isOfSession ? 'session' : request.keyId,
    request_id: request.id,
    method: request.method,
    operation: request.operationId ?? null,
    status: status === undefined ? NO_STATUS : BigInt(status),
    error: request.error ?? null,
    fault: request.fault ?? null,
    micros: BigInt(Math.round(request.ms * 1000)),
    traceparent: request.traceparent ?? null,
    path: textOf(request.path) ?? '',
    user_agent: textOf(request.userAgent),
    request_headers: headersText(request.requestHeaders),
    response_headers: headersText(request.responseHeaders),
    request_body: textOf(request.requestBody),
    answer_body: textOf(request.responseBody),
  };
}

/** Names and values alternate. As many as fit into the limit of a body. */
function firstHeaders(headers: readonly string[]): readonly string[] {
  let length = 0;
  for (let i = 0; i < headers.length; i++) {
    length += (headers[i] as string).length;
    if (length > MAX_OBSERVED_BYTES) return headers.slice(0, i - (i % 2));
  }
  return headers;
}

const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** A JSON object; repeated headers are joined. Values of credentials are replaced. */
function headersText(headers: readonly string[]): string | null {
  if (headers.length === 0) return null;
  const joined = new Map<string, string>();
  for (let i = 0; i < headers.length; i += 2) {
    const name = (headers[i] as string).toLowerCase();
    const text = (credentials.has(name) ? '…' : textOf(headers[i + 1])) ?? '';
    const earlier = joined.get(name);
    joined.set(name, earlier === undefined ? text : `${earlier}, ${text}`);
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
  const hidesKey = first !== -1 && decodeEscapes(plain).search(keyInTruncatedText) !== -1;
  return hidesKey ? `${withoutKeys(plain.slice(0, first))}${plain[first]}…` : plain;
}

/** Removes an incomplete escape at the end: the text may be truncated. */
function decodeEscapes(text: string): string {
  const plain = text
    .replace(/\\(?:u.{0,3})?$/, '')
    .replace(/\\u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number(`0x${code}`)));
  return unescaped(plain.replace(/%.?$/, ''));
}

function withoutKeys(text: string): string {
  return text.replace(keyInTruncatedText, '$1…');
}
