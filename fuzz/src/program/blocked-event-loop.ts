/** How the watchdog begins a line that tells of a turn. */
export const BLOCKED_PREFIX = 'held the event loop: ';

/** A turn of the event loop that took too long. */
export interface BlockedInterval {
  /** Both by the clock that all processes of the machine share, in milliseconds. */
  readonly from: number;
  readonly until: number;
  /** How much of that time this thread worked: a machine that is busy elsewhere holds no event loop. */
  readonly cpu: number;
}
