import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { KeyScope } from '../../domain/vocabulary.ts';

export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  /** Limits are counted by tenant: see `stores/find-store.ts`. */
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  readonly endsAt: bigint | null;
  readonly sessionId?: string | null;
  readonly lastUsedAt?: bigint | null;
  /** The store's, read with the key: what is answered is of this revision or a later one. */
  readonly revision: bigint;
  /** Until when faults are armed, if any are. Null for the console's own requests, which never fail. */
  readonly faultsUntil: bigint | null;
}

export type RejectedKey = Pick<Caller, 'keyId' | 'storeId'>;

/** Observers are shown no more of a body, so that the rest of it can be freed. */
export const OBSERVED_BYTES = 4096;

/** Features add fields of their own by `declare module`. */
export interface Request {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly arrivedAt: number;
  /** The client's, or its network. */
  readonly address: string;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  params: Readonly<Record<string, string>>;
  operation: { readonly operationId?: string; readonly fullName?: string; readonly deprecated?: boolean };
  readonly traceparent: string | undefined;
  bodyBytes?: Buffer;
  body?: unknown;
  caller: Caller | null;
  /** A key that no longer works, and its store, whose inspector shows who still sends it. */
  rejectedKey: RejectedKey | null;
  /** Called once the handler is done, before its answer is sent. */
  whenHandled?: Array<() => void>;
  /** Counts bytes as held in memory for this client; undefined if that is beyond a limit. See `in-flight-bytes.ts`. */
  readonly hold: (what: object, bytes: number) => Disposable | undefined;
  responseHeaders: string[];
  closesConnection: boolean;
  /** More came behind it, which nobody reads. */
  isFollowed?: boolean;
}

export interface Response {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer | Readable | undefined;
  /** The beginning of a body that is sent compressed, for observers. */
  readonly uncompressed?: Buffer;
  /** Its body is in memory for all clients: slow readers of it cost nothing more. */
  readonly isStatic?: boolean;
  readonly error?: string;
  /** Nothing of it is sent: a fault of the sandbox takes its place. */
  readonly isUnsent?: boolean;
}

/** Lets a request pass, answers it, or refuses it by throwing. */
export type Guard = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** The moment at which a request takes place: the clock's, or in the sandbox what it asks for by `Prefer: now=…`. */
export type RequestClock = (request: Request) => number;

export type Handler = (request: Request) => Response | Promise<Response>;

/** Resolves once the answer was handed over, or nobody takes it any more. */
export type Send = (request: Request, res: ServerResponse, response: Response) => void | Promise<void>;

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly ms: number;
}

export function jsonResponse(value: unknown, status = 200, headers: readonly string[] = []): Response {
  return { status, headers: ['content-type', 'application/json', ...headers], body: JSON.stringify(value) };
}
