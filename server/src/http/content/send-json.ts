import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, compress, SMALLEST_COMPRESSED } from './compression.ts';

/** Sends JSON text, compressed if it is large and the client accepts that. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  const body = Buffer.from(text);
  reply.header('content-type', 'application/json');
  const [encoding] =
    body.length < SMALLEST_COMPRESSED ? [] : acceptedEncodings(request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await compress(body, encoding));
}
