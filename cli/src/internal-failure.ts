/** An internal failure with its own exit code. Without a message, the cause explains it. */
export class InternalFailure extends Error {
  override name = 'InternalFailure';
  readonly exitCode: number;
  /** For `--json`. */
  readonly code: string | undefined;

  constructor(
    exitCode: number,
    { message = '', cause, code }: { message?: string; cause?: unknown; code?: string },
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
    this.code = code;
  }
}
