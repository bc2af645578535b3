import type { Caller } from '../../keys/find-caller.ts';

/** A request and its answer, once that is handed over: what observers are told. */
export interface Exchange {
  readonly id: string;
  readonly caller: Caller | null;
  readonly method: string;
  /** As it was sent, query included. */
  readonly url: string;
  readonly operation: string | undefined;
  readonly status: number;
  /** From the arrival of the request until its answer was handed over. */
  readonly ms: number;
}
