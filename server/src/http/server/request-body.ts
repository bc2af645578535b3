import { keyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import { parseJson } from '../encoding/json.ts';
import { ApiError } from '../errors.ts';
import type { Guard, Request } from './request.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** Up to this length, an unwanted body is read and discarded: many clients send all of it before they read a response. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
/** Concurrent long bodies of one operation, from parsing to response. */
const MAX_LONG_BODIES_PER_TENANT = 2;
const MAX_LONG_BODIES = 16;
/** Every chunk takes a kilobyte of memory: after the first thousand, chunks must average 500 bytes. */
const FREE_CHUNKS = 1_000;
const MIN_AVERAGE_CHUNK_BYTES = 500;

/** Parses the body, if there is one. Operations without this guard ignore the body. */
export function readBody(types: readonly string[] = ['application/json'], maxBytes = MAX_BODY_BYTES): Guard {
  const longBodies = keyedSemaphore(MAX_LONG_BODIES_PER_TENANT, MAX_LONG_BODIES);
  return async (request) => {
    const { headers, caller, address } = request;
    if (headers['content-type'] === undefined && !hasBody(request)) return;
    requireSupportedType(request, types);
    request.bodyBytes = await readBytes(request, maxBytes);
    // Acquired after the last byte, so that a client that sends slowly blocks no other.
    if (request.bodyBytes.length > MAX_BODY_BYTES) {
      const acquired = await longBodies.acquire(caller?.tenantId ?? 0n);
      request.onHandled?.push(() => acquired[Symbol.dispose]());
    }
    request.body = await parseJson(decode(request.bodyBytes), caller?.tenantId ?? address);
  };
}

/** Records the body of a request that never reaches its handler, for the inspector. */
export async function recordBody(request: Request): Promise<void> {
  const bytes = await readBytes(request).catch(() => undefined);
  if (bytes) request.bodyBytes = bytes;
}

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the client is still sending the body. */
export const hasUnreadBody = (request: Request): boolean => !request.raw.complete && hasBody(request);

/** Whether the rest of the body is never read: it is too long to discard, or the service closes the connection anyway. */
export function leavesBodyUnread(request: Request): boolean {
  const { closesConnection, headers } = request;
  if (!hasUnreadBody(request)) return false;
  return closesConnection || !(Number(headers['content-length']) <= MAX_DISCARDED_BYTES);
}

function requireSupportedType({ headers }: Request, types: readonly string[]): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = headers;
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
  if (!types.includes(type) || !isUtf8)
    throw new ApiError('unsupported_media_type', `Send the body as ${types.join(' or ')}.`);
  // Nothing is decompressed: a small body could expand to any size.
  if (!/^(identity)?$/i.test(encoding.trim()))
    throw new ApiError('unsupported_media_type', 'Send the body uncompressed, without a Content-Encoding.');
}

async function readBytes(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  const { raw, headers } = request;
  const tooLarge = `The request body is larger than ${maxBytes} bytes.`;
  const incomplete = () => new ApiError('bad_request', 'The request body is incomplete.');
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(headers['content-length']) > maxBytes) throw new ApiError('payload_too_large', tooLarge);
  if (raw.destroyed) throw incomplete();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let reservation: Disposable | undefined;
    request.onHandled ??= [];
    request.onHandled.push(() => reservation?.[Symbol.dispose]());
    const reserveLong = () => {
      reservation?.[Symbol.dispose]();
      reservation = length > MAX_BODY_BYTES ? request.reserve(raw, length) : undefined;
      return length <= MAX_BODY_BYTES || reservation !== undefined;
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) fail('payload_too_large', tooLarge);
      else if (chunks.length > FREE_CHUNKS + length / MIN_AVERAGE_CHUNK_BYTES)
        fail('payload_too_large', 'The request body has too many small chunks. Send larger ones.');
      else if (!reserveLong())
        fail('unavailable', 'Too many large request bodies are being uploaded. Try again shortly.');
    };
    const fail = (code: 'payload_too_large' | 'unavailable', message: string) => {
      raw.off('data', onData).pause();
      request.closesConnection = true;
      reject(new ApiError(code, message));
    };
    raw
      .on('data', onData)
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', () => reject(incomplete()));
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid UTF-8.');
  }
}
