/** This program could not do its work, for a reason of its own. With a cause, that says why. */
export class OwnFailure extends Error {
  override name = 'OwnFailure';
  readonly exitCode: number;

  constructor(exitCode: number, { message = '', cause }: { message?: string; cause?: unknown }) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
