import type { Caller } from '../../keys/find-caller.ts';

/** A request that was answered, as far as it is logged and counted. */
export interface Exchange {
  readonly id: string;
  readonly caller: Caller | null;
  readonly method: string;
  /** Without what must not be logged. */
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  /** From the arrival of the request until its answer was handed over. */
  readonly ms: number;
}
