/** An internal failure with its own exit code. Without a message, the cause explains it. */
export class OwnFailure extends Error {
  override name = 'OwnFailure';
  readonly exitCode: number;

  constructor(exitCode: number, { message = '', cause }: { message?: string; cause?: unknown }) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
