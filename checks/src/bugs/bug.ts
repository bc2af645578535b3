import type { Operation } from './operations.ts';

/** A planted bug: a service that is right but for this. */
export interface Bug {
  /** What it is called once it is found: `cancel-twice-is-204`. */
  readonly id: string;
  readonly level: 'easy' | 'medium' | 'hard';
  /** Where it shows. Requests of other operations pass untouched. */
  readonly operation: Operation;
  /** What is wrong, in one sentence. */
  readonly summary: string;
  /** Where to look, without saying what is wrong. */
  readonly hint: string;
  /** Makes what breaks the service: anew for every run, so that a bug may remember what it saw. */
  readonly breaks: () => Breaking;
}

/** What is done to requests and answers on their way. A bug has the hooks that it needs, mostly one. */
export interface Breaking {
  /** Answers in the service's stead, where it gives an answer. */
  readonly instead?: (asked: Readonly<Asked>, ask: Ask) => Instead | Promise<Instead>;
  /** Changes what is asked. */
  readonly request?: (asked: Asked, ask: Ask) => unknown;
  /** Changes status and headers; the body passes as it comes. */
  readonly head?: (response: ResponseHead, asked: Readonly<Asked>) => void;
  /** Changes the answer, which is held until it is whole. */
  readonly response?: (response: WireResponse, asked: Readonly<Asked>, ask: Ask) => unknown;
  /** Changes one event of a stream, or leaves it out. */
  readonly event?: (text: string) => string | undefined;
}

type Instead = WireResponse | undefined;

/** Header names are in lower case, here and below. */
export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Empty unless the bug has a hook that is asked first: `instead` or `request`. */
  body: string;
}

export interface ResponseHead {
  status: number;
  headers: Record<string, string>;
}

export interface WireResponse extends ResponseHead {
  body: string;
}

/** Asks the service something else, as the one who asked: `GET /v2/pets/1`. */
export type Ask = (request: string, body?: string) => Promise<WireResponse>;
