import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { callerOf } from '../guards/caller.ts';
import { type Caller, MAX_OBSERVED_BYTES, type Request, type Response } from '../server/request.ts';

export type Encoding = 'br' | 'gzip';

/** Compressing a smaller body costs more than it saves. */
export const MIN_COMPRESSED_BYTES = 1024;

export const GZIP_LEVEL = 4;

/** Only this much of a list in a header is parsed: a list of 32 KB takes milliseconds. */
const MAX_ETAGS_LENGTH = 4096;
const MAX_ENCODINGS_LENGTH = 1024;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

export function acceptedEncodings(header: string | string[] | undefined): Encoding[] {
  if (header === undefined) return [];
  const weights = new Map<string, number>();
  for (const part of String(header).slice(0, MAX_ENCODINGS_LENGTH).split(',')) {
    const [name = '', ...parameters] = part.split(';').map((chunk) => chunk.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0);
  }
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  const accepted = (['br', 'gzip'] as const).filter((name) => weight(name) > 0);
  return accepted.sort((a, b) => weight(b) - weight(a));
}

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body, { level: GZIP_LEVEL });
  return brotliAsync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

export async function jsonTextResponse(
  request: Request,
  text: string | Buffer,
  status = 200,
  headers: readonly string[] = [],
): Promise<Response> {
  const allHeaders = ['content-type', 'application/json', ...headers];
  const isSmall = text.length < MIN_COMPRESSED_BYTES;
  const [encoding] = isSmall ? [] : acceptedEncodings(request.headers['accept-encoding']);
  if (encoding === undefined) return { status, headers: allHeaders, body: text };
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const body = await compress(bytes, encoding);
  // A copy, so that the rest is freed.
  const uncompressed = Buffer.from(bytes.subarray(0, MAX_OBSERVED_BYTES));
  return { status, headers: [...allHeaders, 'content-encoding', encoding], body, uncompressed };
}

/** Weak, because the body may be compressed. Contains the store id, for clients that cache responses of several stores. */
export function storeEtag(caller: Caller, revision = caller.revision): string {
  return `W/"${caller.storeId.toString(36)}-${revision}"`;
}

export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  const tags = header.slice(0, MAX_ETAGS_LENGTH).split(',');
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/** Adds the ETag of the store's revision; returns 304 if the client has that revision. */
export function notModified(request: Request): Response | undefined {
  const etag = storeEtag(callerOf(request));
  request.responseHeaders.push('etag', etag);
  return isNotModified(request.headers, etag) ? { status: 304 } : undefined;
}
