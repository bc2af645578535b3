import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings, SMALLEST_COMPRESSED } from '../content/compression.ts';
import { etagOf, isNotModified } from '../content/conditional.ts';
import { callerOf } from '../guards/authenticate.ts';
import { isSmall, type ListEncoding, streamedBody, wholeBody } from './list-body.ts';
import type { Listing } from './listing.ts';

/** Sends a list of the caller's store, or 304 if the client has it already. */
export async function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  load: (storeId: bigint, revision: bigint) => Promise<Listing>,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const known = etagOf(caller, caller.revision);
  if (isNotModified(request.headers, known)) return reply.code(304).header('etag', known).send();

  const listing = await load(caller.storeId, caller.revision);
  const encoding = encodingFor(request.headers, listing);
  const etag = listing.revision === caller.revision ? known : etagOf(caller, listing.revision);
  reply.header('etag', etag).header('content-type', 'application/json');
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  if (isSmall(listing)) return reply.send(await wholeBody(listing, encoding));

  if (encoding === 'identity' && listing.length !== undefined) reply.header('content-length', listing.length);
  if (request.method === 'HEAD') {
    await listing.release?.();
    // An empty stream leaves the length alone, which nothing at all would set to zero.
    return reply.send(Readable.from([]));
  }
  return reply.send(streamedBody(listing, encoding === 'gzip' ? 'gzip' : 'identity'));
}

/** A large list is only ever sent with gzip: that can be put together from segments compressed before. */
export function encodingFor(headers: IncomingHttpHeaders, listing: Listing): ListEncoding {
  if (listing.length !== undefined && listing.length < SMALLEST_COMPRESSED) return 'identity';
  const accepted = acceptedEncodings(headers['accept-encoding']);
  return accepted.find((encoding) => isSmall(listing) || encoding === 'gzip') ?? 'identity';
}
