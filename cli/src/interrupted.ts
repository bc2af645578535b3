import { constants } from 'node:os';

/** The process received this signal. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }

  /** 128 + signal number, as in shells. */
  get exitCode(): number {
    return 128 + constants.signals[this.signal];
  }
}
