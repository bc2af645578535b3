import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bareKeyInText, keyInText } from '../../domain/key-format.ts';
import { traceparentOf } from '../../telemetry/traceparent.ts';
import { unescaped } from '../encoding/unescaped.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { MAX_URL_LENGTH } from './raw-errors.ts';
import type { Request } from './request.ts';

export function requestFrom(raw: IncomingMessage, address: string, hold: Request['hold']): Request {
  const { url = '/', method = '', headers } = raw;
  const id = requestId(headers['x-request-id']);
  return {
    raw,
    id,
    arrivedAt: performance.now(),
    address,
    method,
    url,
    ...targetOf(url),
    headers,
    traceparent: traceparentOf(headers.traceparent),
    params: {},
    operation: {},
    caller: null,
    rejectedKey: null,
    responseHeaders: ['x-request-id', id, 'x-content-type-options', 'nosniff'],
    // HTTP/1.0 has no chunks: a proxy may take another byte for the end of this body (RFC 9112, 6.1).
    closesConnection: raw.httpVersion === '1.0' && headers['transfer-encoding'] !== undefined,
    hold,
  };
}

const plain = /^[A-Za-z0-9._:=-]{1,64}$/;

/** A key without its prefix has both cases; ids in hexadecimal have one. */
const couldBeKey = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);

/** The id that the client sent, unless it may hold a key: ids are logged and shown. */
function requestId(sent: string | string[] | undefined): string {
  if (typeof sent !== 'string' || !plain.test(sent) || sent.search(keyInText) !== -1) return randomUUID();
  return sent.match(bareKeyInText)?.some(couldBeKey) ? randomUUID() : sent;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

function targetOf(url: string): Pick<Request, 'path' | 'query'> {
  const target = url.replace(ORIGIN, '');
  const [written = ''] = target.split('?', 1);
  const path = written || '/';
  // A path whose escapes are broken names nothing; taken literally, it is simply not found.
  const isBroken = unescaped(path) === undefined;
  return { path: isBroken ? path.replaceAll('%', '%25') : path, query: target.slice(written.length + 1) };
}

/** Two of them could mean one thing to a proxy and another to us. */
const onlyOnce = ['host', 'idempotency-key'];

/** A page of any origin may read why. */
const malformed = (code: ErrorCode, message?: string) =>
  new ApiError(code, message, ['access-control-allow-origin', '*']);

export function rejectMalformed({ url, headers, raw }: Request): void {
  if (url.length > MAX_URL_LENGTH) throw malformed('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw malformed('bad_request', 'An HTTP/1.1 request needs a Host header.');
  // A fragment never leaves a client. Left in, it would be cut off, and name something else.
  if (url.includes('#') || (ORIGIN.test(url) && !URL.canParse(url)))
    throw malformed('bad_request', 'The request target is not a valid address.');
  const repeated = onlyOnce.find((name) => isRepeated({ raw, headers }, name));
  if (repeated) throw malformed('bad_request', `The request has more than one ${repeated} header.`);
}

/** Whether a header was sent more than once. Of most headers, `headers` has only the first value. */
export function isRepeated({ raw, headers }: Pick<Request, 'raw' | 'headers'>, name: string): boolean {
  const isAnyRepeated = raw.rawHeaders.length > 2 * Object.keys(headers).length;
  return isAnyRepeated && (raw.headersDistinct[name]?.length ?? 0) > 1;
}
