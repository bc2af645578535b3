import type { Operation } from './operations.ts';

/** The categories of the OWASP API Security Top 10 of 2023. */
type Owasp = `API${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}:2023`;

/** A planted bug: the service is correct except for this. */
export interface Bug {
  /** Shown once the bug is found: `cancel-twice-is-204`. */
  readonly id: string;
  readonly level: 'easy' | 'medium' | 'hard';
  /** OWASP category of a security bug. */
  readonly owasp?: Owasp;
  /** The only operation whose responses are wrong. */
  readonly operation: Operation;
  /** What is wrong, in one sentence. */
  readonly summary: string;
  /** Where to look, without saying what is wrong. */
  readonly hint: string;
  /** Called once per run: hooks may keep state. */
  readonly createHooks: () => BugHooks;
}

/** Hooks on requests and responses; most bugs need only one. */
export interface BugHooks {
  /** Responds to the client in place of the service; if it returns undefined, the request is forwarded. */
  readonly intercept?: (
    forwarded: Readonly<ForwardedRequest>,
    callService: CallService,
  ) => Interception | Promise<Interception>;
  /** Changes the request. */
  readonly request?: (forwarded: ForwardedRequest, callService: CallService) => unknown;
  /** Changes status and headers; the body is streamed. */
  readonly head?: (response: ResponseHead, forwarded: Readonly<ForwardedRequest>) => void;
  /** Changes the response, which is buffered. */
  readonly response?: (
    response: WireResponse,
    forwarded: Readonly<ForwardedRequest>,
    callService: CallService,
  ) => unknown;
  /** Changes one event of a stream, or drops it. */
  readonly event?: (text: string) => string | undefined;
  /** Changes one comment of a stream, with the fields that follow it, or drops it. */
  readonly comment?: (text: string) => string | undefined;
  /** Sees the correct response to every request, of all operations: for a bug that needs keys or secrets from other requests. */
  readonly watch?: (response: Readonly<WireResponse>, forwarded: Readonly<ForwardedRequest>) => void;
  /** Maximum bytes of a request body that the hooks see; a longer body is streamed to the service unchanged. */
  readonly maxBody?: number;
}

type Interception = WireResponse | undefined;

/** Header names are in lower case, here and below. */
export interface ForwardedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Empty if the bug has neither an `intercept` nor a `request` hook: the body is then streamed to the service. */
  body: string;
}

export interface ResponseHead {
  status: number;
  headers: Record<string, string>;
}

export interface WireResponse extends ResponseHead {
  body: string;
}

/** Sends another request, such as `GET /v2/pets/1`, to the service; by default with the client's `Authorization`. */
export type CallService = (request: string, body?: string, authorization?: string) => Promise<WireResponse>;
