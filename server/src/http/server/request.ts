import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { KeyScope } from '../../domain/vocabulary.ts';

export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  /** Limits apply per tenant: see `stores/find-store.ts`. */
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  /** When the store expires, if it is temporary. */
  readonly endsAt: bigint | null;
  readonly sessionId?: string | null;
  readonly lastUsedAt?: bigint | null;
  /** The store's revision, read with the key: responses show this revision or a later one. */
  readonly revision: bigint;
  /** When the last armed fault expires, if any. Null for requests of the console, which no fault affects. */
  readonly faultsUntil: bigint | null;
  /** The store's own rate limit, in windows from its creation. Null for requests of the console. */
  readonly rateRequests: bigint | null;
  readonly rateSeconds: bigint | null;
  readonly createdAt: bigint;
}

export type RejectedKey = Pick<Caller, 'keyId' | 'storeId'>;

/** Observers see only this much of a body, so that the rest can be freed. */
export const MAX_OBSERVED_BYTES = 4096;

/** Features add fields with `declare module`. */
export interface Request {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly arrivedAt: number;
  /** The client's address; IPv6 truncated to /64. */
  readonly address: string;
  /** See `base-path.ts`; `path` is without it. */
  readonly basePath: string;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  params: Readonly<Record<string, string>>;
  /** Value of `Allow`: the methods of the resource; empty if there is nothing at the path. */
  allow: string;
  operation: { readonly operationId?: string; readonly fullName?: string; readonly deprecated?: boolean };
  readonly traceparent: string | undefined;
  bodyBytes?: Buffer;
  body?: unknown;
  caller: Caller | null;
  /** A revoked or expired key, which the inspector of its store shows. */
  rejectedKey: RejectedKey | null;
  /** Called after the handler, before the response is sent. */
  onHandled?: Array<() => void>;
  /** Counts bytes as in flight for this client; undefined beyond a limit. See `in-flight-bytes.ts`. */
  readonly reserve: (buffer: object, bytes: number) => Disposable | undefined;
  /** Whether `reserve` has rejected bytes of this client, and none were freed since. */
  readonly isBeyondUnreadLimit: () => boolean;
  responseHeaders: string[];
  closesConnection: boolean;
  /** More bytes arrived after this request; they are not read. */
  hasTrailingData?: boolean;
}

export interface Response {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer | Readable | undefined;
  /** If the body is compressed: its first bytes before compression, for observers. */
  readonly uncompressed?: Buffer;
  /** The body is shared by all clients, so slow readers cost no memory. */
  readonly isStatic?: boolean;
  readonly error?: string;
  /** Not sent: a sandbox fault replaces it. */
  readonly isReplacedByFault?: boolean;
}

/** Passes the request on (undefined), responds, or rejects it by throwing. */
export type Guard = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** Effective time of a request: the wall clock's, or in the sandbox that of `Prefer: now=…`. */
export type RequestClock = (request: Request) => number;

export type Handler = (request: Request) => Response | Promise<Response>;

/** Resolves once the response is written, or its client has disconnected. */
export type Send = (request: Request, res: ServerResponse, response: Response) => void | Promise<void>;

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly ms: number;
}

/** The tenant, or the address of a request without a key. Bytes in flight are limited, and long work is scheduled, per owner. */
export const ownerOf = ({ caller, address }: Request) => caller?.tenantId ?? address;

export function jsonResponse(value: unknown, status = 200, headers: readonly string[] = []): Response {
  return { status, headers: ['content-type', 'application/json', ...headers], body: JSON.stringify(value) };
}
