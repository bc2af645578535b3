import { NotFound, UsageError } from '../../server/src/config/usage-error.ts';
import { Unavailable, UnusableDatabase } from '../../server/src/database/engine.ts';
import { TransferError } from '../../server/src/transfer/format.ts';
import type { CommandContext } from './command-group.ts';
import { InternalFailure } from './internal-failure.ts';
import { Interrupted } from './interrupted.ts';
import { NotWritten } from './output.ts';
import { run } from './program.ts';

/** Runs the command and returns its exit code. On failure, prints the reason in one line. */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const { env, stderr } = context;
  try {
    return await run(args, context);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    const { code, text } = await explain(error, env);
    // Arguments after -- belong to the child command.
    const ownArgs = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (ownArgs.includes('--json')) {
      const { asJson } = await import('./exit-codes.ts');
      stderr.write(`${asJson(error, text, code)}\n`);
    } else stderr.write(`petstore: ${text}\n`);
    return code;
  }
}

/** Listen errors carry `address`, or `hostname` if the name had to be resolved. */
type ListenError = NodeJS.ErrnoException & {
  port?: number;
  address?: string;
  hostname?: string;
  deployment?: string;
};

const expectedErrors = [UnusableDatabase, Unavailable, TransferError, NotWritten];

/** One actionable line for expected errors; unexpected ones keep their stack trace. */
async function explain(error: unknown, env: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  if (error instanceof UsageError) return { code: 2, text: error.message };
  if (error instanceof NotFound) return { code: 5, text: error.message };
  if (error instanceof InternalFailure) {
    const text = error.message || (await explain(error.cause, env)).text;
    return { code: error.exitCode, text };
  }
  if (expectedErrors.some((kind) => error instanceof kind))
    return { code: 1, text: (error as Error).message };
  const { code, port, address, hostname, deployment } = error as ListenError;
  if (code === 'EADDRINUSE') {
    const inUse = `port ${port}${deployment ? ` (${deployment})` : ''} on ${address} is in use`;
    // Without `--`, npm would parse the flag as its own.
    const flag = `${env.npm_lifecycle_event === 'start' ? 'npm start -- ' : ''}--port 9000`;
    return { code: 1, text: `${inUse}; choose another port, such as ${flag}` };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { code: 1, text: `cannot listen on ${address ?? hostname}: not an address of this machine` };
  if (code === 'EACCES' && port !== undefined)
    return { code: 1, text: `permission denied for port ${port}; choose another port, such as --port 8080` };
  // Loaded lazily: `serve` does not need the client.
  const { PetStoreError } = await import('../../client/src/index.ts');
  const { exitCodeOf, explainResponse } = await import('./exit-codes.ts');
  if (error instanceof PetStoreError) return { code: exitCodeOf(error), text: explainResponse(error) };
  return { code: 1, text: String((error as Error).stack ?? error) };
}
