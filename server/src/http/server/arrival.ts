import { ApiError } from '../errors.ts';
import { MAX_URL_LENGTH } from './raw-errors.ts';
import type { Request } from './request.ts';

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** What a target is routed by: the path and query alone, also where it names a whole address. */
export function routedTarget(url: string): string {
  return literalIfMalformed(url.startsWith('/') ? url : url.replace(ORIGIN, '').replace(/^(?=[?#]|$)/, '/'));
}

/** A path whose escapes are broken names nothing; taken literally, it is simply not found. */
function literalIfMalformed(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Headers of which two could mean one thing to a proxy and another to us. */
const onlyOnce = ['host', 'authorization'];

/** What is wrong with a request, whatever it asks for. */
export function problemWith({ headers, raw, originalUrl }: Request): ApiError | undefined {
  if (originalUrl.length > MAX_URL_LENGTH) return new ApiError('uri_too_long');
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    return new ApiError('bad_request', 'An HTTP/1.1 request needs a Host header.');
  }
  if (ORIGIN.test(originalUrl) && !URL.canParse(originalUrl)) {
    return new ApiError('bad_request', 'The request target is not a valid address.');
  }
  for (const name of onlyOnce) {
    if (isTwice(name, raw.rawHeaders))
      return new ApiError('bad_request', `There is more than one ${name} header.`);
  }
  return undefined;
}

/** Names and values in turn. */
function isTwice(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count++;
  }
  return count > 1;
}
