import { constants } from 'node:os';

/** The process was asked to end, by this signal. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }

  /** As a shell has it. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}
