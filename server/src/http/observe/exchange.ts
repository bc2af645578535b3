import type { Caller, RefusedKey } from '../server/caller.ts';

/** A request and its answer, once that is handed over: what observers are told. */
export interface Exchange {
  readonly id: string;
  readonly caller: Caller | null;
  readonly refusedKey: RefusedKey | null;
  readonly method: string;
  /** As it was sent, query included. */
  readonly url: string;
  readonly operation: string | undefined;
  /** The operation with its version, such as `v1.cancelOrder`. */
  readonly fullName: string | undefined;
  readonly status: number;
  /** The code of the error that it was answered with. */
  readonly error: string | undefined;
  /** The fault of the sandbox that it met, and whether that took the place of the answer. */
  readonly fault: string | undefined;
  readonly isUnsent: boolean;
  /** Whether somebody sent it from the API reference. */
  readonly isTriedOut: boolean;
  readonly userAgent: string | undefined;
  /** What was sent, if it was read, and what was answered, if it is at hand. */
  readonly requestBody: Buffer | undefined;
  readonly answerBody: string | Buffer | undefined;
  /** From the arrival of the request until its answer was handed over. */
  readonly ms: number;
}
