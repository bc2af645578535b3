import { parseJson } from '../content/json.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from './guard.ts';
import type { Request } from './request.ts';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads a body of one of these media types, as strictly parsed JSON; none at all is for the handler to refuse. Where an
 * operation takes no body, nobody looks at what was sent, or at its type.
 */
export function readBody(...types: readonly string[]): Guard {
  return (request) => {
    if (request.headers['content-type'] === undefined && !hasBody(request)) return undefined;
    requireReadable(request, types);
    return bytesOf(request.raw).then((bytes) => {
      request.bodyBytes = bytes;
      request.body = parseJson(decode(bytes));
      return undefined;
    });
  };
}

export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whoever is refused may go on sending what nobody reads. */
const CLOSE = ['connection', 'close'];

function requireReadable({ headers }: Request, types: readonly string[]): void {
  const refused = (how: string) => new ApiError('unsupported_media_type', `Send the body ${how}.`, CLOSE);
  if (!isOneOf(types, headers['content-type'])) throw refused(`as ${types.join(' or ')}`);
  if (!isPlain(headers['content-encoding'])) throw refused('as it is, without a Content-Encoding');
}

function isOneOf(types: readonly string[], header = ''): boolean {
  if (types.includes(header)) return true;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return types.includes(type) && parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
}

/** Nothing is decompressed: what a small body could become has no bound that its sender pays for. */
function isPlain(encoding = ''): boolean {
  return /^(identity)?$/i.test(encoding.trim());
}

/** By events: to go through a stream in a loop takes several times as long as everything else that a small body needs. */
function bytesOf(payload: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) return void chunks.push(Buffer.from(chunk));
      payload.off('data', take).pause();
      reject(
        new ApiError('payload_too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes.`, CLOSE),
      );
    };
    payload
      .on('data', take)
      .on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      .on('error', reject);
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
