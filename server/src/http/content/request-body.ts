import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { parseJson } from './json.ts';

export const MAX_BODY_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of the body that the operation takes; none if it takes no body. */
    bodyTypes?: readonly string[];
  }
}

/**
 * Operations that take a body get it as strictly parsed JSON. For all others, neither a body that is sent nor
 * its type is looked at.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, _, done) => {
    const { headers } = request;
    if (headers['content-type'] !== undefined && !request.operation.bodyTypes) delete headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
    const types = request.operation.bodyTypes;
    if (!types) return void payload.resume();
    if (!isOneOf(types, request.headers['content-type']))
      throw new ApiError('unsupported_media_type', `Send the body as ${types.join(' or ')}.`);
    if (!isPlain(request.headers['content-encoding']))
      throw new ApiError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
    return parseJson(decode(await read(payload)));
  });
}

function isOneOf(types: readonly string[], header = ''): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return types.includes(type) && parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
}

/** Nothing is decompressed: what a small body could become has no bound that its sender pays for. */
function isPlain(encoding = ''): boolean {
  return /^(identity)?$/i.test(encoding.trim());
}

async function read(payload: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of payload) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      throw new ApiError('payload_too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError('invalid_body', 'The request body is not valid UTF-8.');
  }
}
