import { unescape as unescaped } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Job, Step } from '../concurrency/background-jobs.ts';
import { keyInCutText } from '../domain/key-format.ts';
import { type Exchange, MAX_OBSERVED_BYTES } from '../http/server/request.ts';
import type { Writer } from '../writer/writer.ts';
import { MAX_REJECTED, MAX_REQUESTS, NO_STATUS, recordRequests, requestIdAt } from './record-requests.ts';

/** Of all stores together, until they are written; beyond that, none is noted. */
const MAX_NOTED_BYTES = 16 * 1024 * 1024;
/** What a request takes besides its texts. */
const MIN_REQUEST_BYTES = 4 * 1024;
/** No other change waits long behind so many. */
const MAX_PER_CHANGE = 250;
const MAX_PATH = 2000;
const MAX_USER_AGENT = 200;

/** The last requests of each store: noted here, written together once a second. */
export function openInspector(writer: Writer, now: () => number, restMs = 1_000) {
  /** Refused keys are kept apart: they push out few others. */
  let notedOf = new Map<string, NotedRequest[]>();
  let notedBytes = 0;
  let next = Math.floor(Math.random() * 2 ** 20);

  function note(exchange: Exchange): void {
    const request = notedFrom(exchange, now());
    if (!request) return;
    const name = `${request.row.store_id} ${request.isRejected}`;
    const noted = notedOf.get(name) ?? [];
    if (noted.length === (request.isRejected ? MAX_REJECTED : MAX_REQUESTS))
      notedBytes -= bytesOf(noted.shift() as NotedRequest);
    const bytes = bytesOf(request);
    if (notedBytes + bytes > MAX_NOTED_BYTES) return;
    notedBytes += bytes;
    noted.push(request);
    notedOf.set(name, noted);
  }

  async function finish(piece: Step): Promise<void> {
    const noted = [...notedOf.values()].flat();
    notedOf = new Map();
    notedBytes = 0;
    for (let first = 0; first < noted.length; first += MAX_PER_CHANGE) {
      const some = noted.slice(first, first + MAX_PER_CHANGE);
      await piece(() => {
        const requests = some.map((request) => ({ ofKey: request.ofKey, row: rowOf(request, next++) }));
        return writer.apply(recordRequests, { requests });
      });
    }
  }

  const run: Job['run'] = (_, piece) => finish(piece);
  return { name: 'inspector', restMs, note, run, finish };
}

type Body = string | Buffer | undefined;

type NotedRequest = NonNullable<ReturnType<typeof notedFrom>>;

/** Only requests with a key of the store are noted, for its owner: with as little work as can be, as a row is made later. */
function notedFrom({ request, response, ms }: Exchange, at: number) {
  const { caller, operation, headers, url } = request;
  const owner = caller ?? request.rejectedKey;
  const isConsole = caller?.sessionId && headers['x-tried-out'] === undefined;
  // Requests of the console, and for this list, would push out those of clients.
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
    answerBody: beginningOf(
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

function bytesOf({ path, userAgent, requestHeaders, responseHeaders, ...bodies }: NotedRequest): number {
  const parts = [path, userAgent, bodies.requestBody, bodies.answerBody];
  const lengths = parts.map((part) => part?.length ?? 0);
  const ofHeaders = [...requestHeaders, ...responseHeaders].map(lengthOf);
  return [...lengths, ...ofHeaders].reduce((sum, length) => sum + length, MIN_REQUEST_BYTES);
}

function rowOf(noted: NotedRequest, lowerId: number) {
  return {
    ...noted.row,
    id: requestIdAt(noted.at, lowerId),
    path: textOf(noted.path) ?? '',
    user_agent: textOf(noted.userAgent),
    request_headers: headersText(noted.requestHeaders),
    response_headers: headersText(noted.responseHeaders),
    request_body: textOf(noted.requestBody),
    answer_body: textOf(noted.answerBody),
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

/** A JSON object; repeated headers are joined. Credentials are shown by name only. */
function headersText(headers: readonly Header[]): string | null {
  if (headers.length === 0) return null;
  const shown = new Map<string, string>();
  for (const [name, value] of headers) {
    const text = credentials.has(name) ? '…' : textOf([value].flat().join(', '));
    shown.set(name, [shown.get(name), text].filter((part) => part !== undefined).join(', '));
  }
  return JSON.stringify(Object.fromEntries(shown));
}

/** A part of something long is copied, so that the whole is let go. */
function beginningOf(body: Body, most: number): Body {
  if (!body || body.length <= most) return body;
  return Buffer.from(typeof body === 'string' ? body.slice(0, most) : body.subarray(0, most));
}

/** Bytes are counted, not characters. */
function textOf(body: Body): string | null {
  if (!body || body.length === 0) return null;
  const text = Buffer.from(body as string).toString('utf8', 0, MAX_OBSERVED_BYTES);
  return withoutSecrets(text.replaceAll('\0', '\uFFFD').toWellFormed());
}

const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;

/** Where an escape, of an address or of JSON, may hide a key, nothing after the first escape is kept. */
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
