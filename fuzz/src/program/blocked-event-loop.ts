/** Prefix of the watchdog's lines about a blocked tick. */
export const BLOCKED_PREFIX = 'blocked the event loop: ';

/** An event-loop tick that took too long. */
export interface BlockedInterval {
  /** Both in milliseconds of a clock that all processes share. */
  readonly from: number;
  readonly until: number;
  /** How much of that time this thread used the processor: on a busy machine, waiting does not count. */
  readonly cpu: number;
}
