import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../keys/find-caller.ts';
import { acceptedEncodings, SMALLEST_COMPRESSED } from '../content/compression.ts';
import { etagAt, etagOf, isNotModified } from '../content/conditional.ts';
import { callerOf } from '../guards/authenticate.ts';
import type { Answer } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import type { ListAtRevision } from './list-at-revision.ts';
import { isSmall, type ListEncoding, streamedBody, wholeBody } from './list-body.ts';
import type { ListCache } from './list-cache.ts';

/** Answers with a list of the caller's store, or 304 if the client has it already. */
export function listAnswer<Row extends { id: bigint; revision: bigint }>(
  request: Request,
  lists: ListCache<Row>,
): Answer | Promise<Answer> {
  const caller = callerOf(request);
  const etag = etagOf(caller);
  if (isNotModified(request.headers, etag)) return { status: 304, headers: ['etag', etag] };
  const held = lists.held(caller.storeId, caller.revision);
  if (held) return answerWith(held, caller, request.headers);
  return lists.get(caller.storeId, caller.revision).then((list) => answerWith(list, caller, request.headers));
}

function answerWith(
  list: ListAtRevision,
  caller: Caller,
  requested: IncomingHttpHeaders,
): Answer | Promise<Answer> {
  const encoding = encodingFor(requested, list);
  const etag = list.revision === caller.revision ? etagOf(caller) : etagAt(caller, list.revision);
  const headers = ['etag', etag, 'content-type', 'application/json'];
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  if (isSmall(list)) {
    const body = wholeBody(list, encoding);
    if (body instanceof Promise)
      return body.then((compressed) => ({ status: 200, headers, body: compressed }));
    return { status: 200, headers, body };
  }
  if (encoding === 'identity' && list.length !== undefined)
    headers.push('content-length', String(list.length));
  return { status: 200, headers, body: streamedBody(list, encoding === 'gzip' ? 'gzip' : 'identity') };
}

/** A large list is only ever sent with gzip: that can be put together from segments compressed before. */
function encodingFor(headers: IncomingHttpHeaders, list: ListAtRevision): ListEncoding {
  if (list.length !== undefined && list.length < SMALLEST_COMPRESSED) return 'identity';
  const accepted = acceptedEncodings(headers['accept-encoding']);
  return accepted.find((encoding) => isSmall(list) || encoding === 'gzip') ?? 'identity';
}
