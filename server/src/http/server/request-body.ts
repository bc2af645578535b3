import { keyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import { parseJson } from '../encoding/json.ts';
import { ApiError } from '../errors.ts';
import type { Guard, Request } from './request.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** So much that nobody wants is read and forgotten: many clients send all before they read an answer. */
const MAX_UNWANTED_BYTES = 16 * 1024 * 1024;
/** Long bodies of one operation that are parsed and handled at a time. */
const LONG_BODIES_OF_TENANT = 2;
const LONG_BODIES = 16;
/** A piece takes a kilobyte, however short it is: beyond the first thousand, they must hold 500 bytes on average. */
const FIRST_CHUNKS = 1_000;
const MIN_CHUNK_BYTES = 500;

/** A body that is missing is for the handler to refuse. An operation without this guard ignores what was sent. */
export function readBody(types: readonly string[] = ['application/json'], maxBytes = MAX_BODY_BYTES): Guard {
  const longBodies = keyedSemaphore(LONG_BODIES_OF_TENANT, LONG_BODIES);
  return async (request) => {
    const { headers, caller } = request;
    if (headers['content-type'] === undefined && !hasBody(request)) return;
    requireReadable(request, types);
    request.bodyBytes = await bytesOf(request, maxBytes);
    // Acquired once all of it is there: a client that drips its body keeps nobody waiting.
    if (request.bodyBytes.length > MAX_BODY_BYTES) {
      const acquired = await longBodies.acquire(caller?.tenantId ?? 0n);
      request.whenHandled?.push(() => acquired[Symbol.dispose]());
    }
    request.body = await parseJson(decode(request.bodyBytes));
  };
}

/** Keeps the body of a request that no handler sees, for the inspector to show. */
export async function noteBody(request: Request): Promise<void> {
  const bytes = await bytesOf(request).catch(() => undefined);
  if (bytes) request.bodyBytes = bytes;
}

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** True if closing the connection is cheaper than reading the rest of the body to get to the next request. */
export function hasUnwantedBody(request: Request): boolean {
  const { raw, closesConnection, headers } = request;
  if (raw.complete || !hasBody(request)) return false;
  return closesConnection || !(Number(headers['content-length']) <= MAX_UNWANTED_BYTES);
}

function requireReadable({ headers }: Request, types: readonly string[]): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = headers;
  const rejected = (how: string) => new ApiError('unsupported_media_type', `Send the body ${how}.`);
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
  if (!types.includes(type) || !isUtf8) throw rejected(`as ${types.join(' or ')}`);
  // Nothing is decompressed: a small body could become any size.
  if (!/^(identity)?$/i.test(encoding.trim())) throw rejected('as it is, without a Content-Encoding');
}

async function bytesOf(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Buffer> {
  const { raw, headers } = request;
  if (!hasBody(request)) return Buffer.alloc(0);
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  if (raw.destroyed) throw brokenOff();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let held: Disposable | undefined;
    request.whenHandled ??= [];
    request.whenHandled.push(() => held?.[Symbol.dispose]());
    /** A long body is held as far as it has come. */
    const isHeld = () => {
      held?.[Symbol.dispose]();
      held = length > MAX_BODY_BYTES ? request.hold(raw, length) : undefined;
      return length <= MAX_BODY_BYTES || held !== undefined;
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) refuse(tooLarge(maxBytes));
      else if (chunks.length > FIRST_CHUNKS + length / MIN_CHUNK_BYTES)
        refuse(new ApiError('payload_too_large', 'The request body comes in too many small pieces.'));
      else if (!isHeld()) refuse(new ApiError('unavailable', 'Too many long request bodies arrive at once.'));
    };
    const refuse = (error: ApiError) => {
      raw.off('data', take).pause();
      request.closesConnection = true;
      reject(error);
    };
    raw
      .on('data', take)
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', () => reject(brokenOff()));
  });
}

function brokenOff(): ApiError {
  return new ApiError('bad_request', 'The request body was broken off.');
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The request body is larger than ${maxBytes} bytes.`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid UTF-8.');
  }
}
