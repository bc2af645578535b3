import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Edition } from '../lists/edition.ts';
import { callerOf } from './authenticate.ts';
import {
  acceptedEncoding,
  compress,
  compressingStream,
  type Encoding,
  SMALLEST_COMPRESSED,
} from './compression.ts';
import { etagOf, isNotModified } from './conditional.ts';

/** Compressed forms, made when first asked for and kept as long as the list itself. */
const compressed = new WeakMap<Edition, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Sends a list of the caller's store, or 304 if the client has it already. */
export async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  load: (storeId: bigint, revision: bigint) => Promise<Edition>,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const known = etagOf(caller, caller.revision);
  if (isNotModified(request, known)) return reply.code(304).header('etag', known).send();

  const edition = await load(caller.storeId, caller.revision);
  reply.header('etag', etagOf(caller, edition.revision)).header('content-type', 'application/json');
  const encoding =
    edition.length < SMALLEST_COMPRESSED ? undefined : acceptedEncoding(request.headers['accept-encoding']);
  return encoding ? sendCompressed(reply, edition, encoding) : sendPlain(request, reply, edition);
}

function sendPlain(request: FastifyRequest, reply: FastifyReply, edition: Edition): FastifyReply {
  const chunks = edition.chunks();
  if (chunks.length === 1) return reply.send(chunks[0]);
  reply.header('content-length', edition.length);
  return reply.send(request.method === 'HEAD' ? undefined : Readable.from(chunks, { objectMode: false }));
}

async function sendCompressed(
  reply: FastifyReply,
  edition: Edition,
  encoding: Encoding,
): Promise<FastifyReply> {
  const chunks = edition.chunks();
  const [whole] = chunks;
  if (chunks.length > 1 || !whole) {
    return reply.header('content-encoding', 'gzip').send(Readable.from(chunks).pipe(compressingStream()));
  }
  const forms = compressed.get(edition) ?? {};
  compressed.set(edition, forms);
  forms[encoding] ??= compress(whole, encoding);
  return reply.header('content-encoding', encoding).send(await forms[encoding]);
}
