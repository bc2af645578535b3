import type { Caller, RefusedKey } from '../server/caller.ts';

/** A request and its answer, once that is handed over: what observers are told. */
export interface Exchange {
  readonly id: string;
  readonly caller: Caller | null;
  readonly refusedKey: RefusedKey | null;
  readonly method: string;
  readonly url: string;
  readonly operation: string | undefined;
  /** The operation with its version, such as `v1.cancelOrder`. */
  readonly fullName: string | undefined;
  readonly status: number;
  readonly error: string | undefined;
  /** The fault of the sandbox that it met, and whether that took the place of the answer. */
  readonly fault: string | undefined;
  readonly isUnsent: boolean;
  /** Sent from the API reference. */
  readonly isTriedOut: boolean;
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  /** The trace that its client has it belong to. */
  readonly traceparent: string | undefined;
  /** Undefined where the body was not read, or is not at hand. */
  readonly requestBody: Buffer | undefined;
  readonly answerBody: string | Buffer | undefined;
  /** From the arrival of the request until its answer was handed over. */
  readonly ms: number;
}
