import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseJson } from '../content/json.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from './guard.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Forgets the type of a body that no operation asked for: neither the body nor its type is looked at. */
export const ignoreOtherBodies: Guard = ({ headers, operation }) => {
  if (headers['content-type'] !== undefined && !operation.bodyTypes) delete headers['content-type'];
  return undefined;
};

/** Gives operations that take a body what was sent, as strictly parsed JSON. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
    const { bodyTypes } = request.operation;
    if (!bodyTypes) return void payload.resume();
    try {
      return await readBody(request, payload, bodyTypes);
    } catch (error) {
      // The client may go on sending what nobody reads.
      request.answerHeaders.push('connection', 'close');
      throw error;
    }
  });
}

async function readBody(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  types: readonly string[],
): Promise<unknown> {
  const { headers } = request;
  if (!isOneOf(types, headers['content-type']))
    throw new ApiError('unsupported_media_type', `Send the body as ${types.join(' or ')}.`);
  if (!isPlain(headers['content-encoding']))
    throw new ApiError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
  request.bodyBytes = await read(payload);
  return parseJson(decode(request.bodyBytes));
}

function isOneOf(types: readonly string[], header = ''): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  return types.includes(type) && parameters.every((parameter) => /^(charset="?utf-?8"?)?$/.test(parameter));
}

/** Nothing is decompressed: what a small body could become has no bound that its sender pays for. */
function isPlain(encoding = ''): boolean {
  return /^(identity)?$/i.test(encoding.trim());
}

/** By events: to go through a stream in a loop takes several times as long as everything else that a small body needs. */
function read(payload: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) return void chunks.push(Buffer.from(chunk));
      payload.off('data', take).pause();
      reject(new ApiError('payload_too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes.`));
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
