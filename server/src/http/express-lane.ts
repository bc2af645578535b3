import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Caller, FindCaller } from '../keys/find-caller.ts';
import { etagOf, isNotModified } from './content/conditional.ts';
import { type LookedUp, lookedUp, sentKey } from './guards/authenticate.ts';
import { standing } from './guards/cors.ts';
import { requestId } from './guards/request-id.ts';
import type { Edition } from './lists/edition.ts';
import { isSmall, wholeBody } from './lists/list-body.ts';
import type { Listing } from './lists/listing.ts';
import { encodingFor } from './lists/send-list.ts';
import type { Exchange } from './observe/exchange.ts';
import type { OperationId } from './openapi/operation.ts';
import type { v1Document } from './v1/document.ts';
import type { V1Lists } from './v1/routes.ts';

const PATH = '/v1/store/orders';
const OPERATION: OperationId<typeof v1Document> = 'listOrders';

export interface ExpressLane {
  readonly find: FindCaller;
  /** The lists of orders that are in memory. */
  readonly lists: Pick<V1Lists['orders'], 'held' | 'get'>;
  readonly finish: (exchange: Exchange) => void;
}

/** What requests that shared one look at their caller share further. */
interface Shared {
  readonly caller: Caller;
  readonly etag: string;
  readonly edition: Edition | undefined;
  /** The headers that go with each body, and those of an answer without one. */
  readonly heads: Map<Buffer, string[]>;
  notModified?: string[];
  /** The list at the caller's revision, if what is in memory is behind it. */
  newer?: Promise<Edition | undefined>;
}

/** A request on its way. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly began: number;
  found?: LookedUp;
}

const standingHeaders = Object.entries(standing).flat();

/**
 * The short road for the request that comes most: a plain GET, with a working key, of a small list that is in memory.
 * It answers exactly as the long road would; whatever is not that plain, every error included, takes the long one.
 */
export function expressLane(
  { find, lists, finish }: ExpressLane,
  longRoad: RequestListener,
): RequestListener {
  let shared: Shared | undefined;

  function answerIfReady(asked: Asked, caller: Caller) {
    if (shared?.caller !== caller) {
      const etag = etagOf(caller, caller.revision);
      const held = lists.held(caller.storeId);
      // A large one must not outlive its eviction here.
      shared = { caller, etag, edition: held && isSmall(held) ? held : undefined, heads: new Map() };
    }
    const { etag, edition } = shared;
    if (isNotModified(asked.request.headers, etag)) {
      shared.notModified ??= headOf('etag', etag);
      return answer(asked, caller, 304, shared.notModified);
    }
    if (edition === undefined) return takeLongRoad(asked);
    if (edition.revision >= caller.revision) return send(asked, shared, edition);
    shared.newer ??= smallOne(lists.get(caller.storeId, caller.revision));
    sendNewer(asked, shared, shared.newer);
  }

  async function sendNewer(asked: Asked, shared: Shared, newer: Promise<Edition | undefined>): Promise<void> {
    const listing = await newer;
    if (listing) send(asked, shared, listing);
    else takeLongRoad(asked);
  }

  function send(asked: Asked, shared: Shared, listing: Edition) {
    const { caller, etag } = shared;
    const encoding = encodingFor(asked.request.headers, listing);
    const body = wholeBody(listing, encoding);
    // Being compressed for the first time: that is waited for on the long road.
    if (body instanceof Promise) return takeLongRoad(asked);
    let head = shared.heads.get(body);
    if (head === undefined) {
      const tag = listing.revision === caller.revision ? etag : etagOf(caller, listing.revision);
      head = headOf('etag', tag, 'content-type', 'application/json');
      if (encoding !== 'identity') head.push('content-encoding', encoding);
      head.push('content-length', String(body.length));
      shared.heads.set(body, head);
    }
    answer(asked, caller, 200, head, body);
  }

  function answer(asked: Asked, caller: Caller, status: number, head: string[], body?: Buffer) {
    const { request, response, began } = asked;
    const id = requestId(request.headers['x-request-id']);
    head[1] = id;
    response.writeHead(status, head);
    response.end(body);
    const ms = performance.now() - began;
    finish({ id, caller, method: 'GET', path: PATH, operation: OPERATION, status, ms });
  }

  function takeLongRoad({ request, response, found }: Asked) {
    // It is not looked up a second time.
    if (found) lookedUp.set(request, found);
    longRoad(request, response);
  }

  return (request, response) => {
    const asked: Asked = { request, response, began: performance.now() };
    const key = isPlain(request) ? sentKey(request.headers.authorization) : undefined;
    if (key === undefined) return takeLongRoad(asked);
    find(key, (error, caller) => {
      asked.found = { error, caller };
      if (caller) answerIfReady(asked, caller);
      else takeLongRoad(asked);
    });
  };
}

/** The list, if it has come to be in memory and is small. What went wrong is found out again on the long road. */
async function smallOne(loading: Promise<Listing>): Promise<Edition | undefined> {
  try {
    const listing = await loading;
    if (isSmall(listing)) return listing;
    await listing.release?.();
  } catch {}
  return undefined;
}

/** Headers by name and value, in turn; the second place is for the id of each request. */
function headOf(...more: string[]): string[] {
  return ['x-request-id', '', ...standingHeaders, ...more];
}

/** Asks for the list, and for nothing that needs a closer look. */
function isPlain({ method, url, httpVersion, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || url !== PATH || httpVersion !== '1.1' || headers.host === undefined) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}
