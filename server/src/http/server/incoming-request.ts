import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bareKeyInText, keyInText } from '../../domain/key-format.ts';
import { parseTraceparent } from '../../telemetry/traceparent.ts';
import { decodeComponent } from '../encoding/decode-component.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { withoutBasePath } from './base-path.ts';
import { MAX_URL_LENGTH } from './raw-errors.ts';
import type { Request } from './request.ts';

export function requestFrom(
  raw: IncomingMessage,
  connection: Pick<Request, 'address' | 'basePath' | 'reserve' | 'isBeyondUnreadLimit'>,
): Request {
  const { url = '/', method = '', headers } = raw;
  const id = requestId(headers['x-request-id']);
  return {
    raw,
    id,
    ...connection,
    arrivedAt: performance.now(),
    method,
    url,
    ...parseTarget(url, connection.basePath),
    headers,
    traceparent: parseTraceparent(headers.traceparent),
    params: {},
    allow: '',
    operation: {},
    caller: null,
    rejectedKey: null,
    responseHeaders: ['x-request-id', id, 'x-content-type-options', 'nosniff'],
    // HTTP/1.0 has no chunked encoding, so a proxy may see another end of this body (RFC 9112, 6.1).
    closesConnection: raw.httpVersion === '1.0' && headers['transfer-encoding'] !== undefined,
  };
}

const plainId = /^[A-Za-z0-9._:=-]{1,64}$/;

/** A key without its prefix has both cases; hexadecimal ids have one. */
const couldBeKey = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);

/** The client's request id, unless it may contain an API key: ids are logged and displayed. */
function requestId(header: string | string[] | undefined): string {
  if (typeof header !== 'string' || !plainId.test(header) || header.search(keyInText) !== -1)
    return randomUUID();
  return header.match(bareKeyInText)?.some(couldBeKey) ? randomUUID() : header;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

function parseTarget(url: string, basePath: string): Pick<Request, 'path' | 'query'> {
  const target = withoutBasePath(url.replace(ORIGIN, ''), basePath);
  const [rawPath = ''] = target.split('?', 1);
  const path = rawPath || '/';
  // A path with invalid escapes is matched literally, and is therefore not found.
  const isInvalid = path.includes('%') && decodeComponent(path) === undefined;
  return { path: isInvalid ? path.replaceAll('%', '%25') : path, query: target.slice(rawPath.length + 1) };
}

/** If repeated, a proxy and this service could use different values. */
const singleHeaders = ['host', 'idempotency-key'];

/** With a CORS header, so that pages of any origin can read the error. */
const malformed = (code: ErrorCode, message?: string) =>
  new ApiError(code, message, ['access-control-allow-origin', '*']);

export function rejectMalformed({ url, headers, raw }: Request): void {
  if (url.length > MAX_URL_LENGTH) throw malformed('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw malformed('bad_request', 'An HTTP/1.1 request requires a Host header.');
  // Clients never send a fragment. The router would cut it off and match another path.
  if (url.includes('#') || (ORIGIN.test(url) && !URL.canParse(url)))
    throw malformed('bad_request', 'The request target is not a valid URL.');
  const repeated = singleHeaders.find((name) => isRepeated({ raw, headers }, name));
  if (repeated) throw malformed('bad_request', `The request has more than one ${repeated} header.`);
}

/** Whether a header was sent more than once. For most headers, `headers` has only the first value. */
export function isRepeated({ raw, headers }: Pick<Request, 'raw' | 'headers'>, name: string): boolean {
  const isAnyRepeated = raw.rawHeaders.length > 2 * Object.keys(headers).length;
  return isAnyRepeated && (raw.headersDistinct[name]?.length ?? 0) > 1;
}
