import { UnknownThing, UsageError } from '../../server/src/config/usage-error.ts';
import { Unavailable, UnusableDatabase } from '../../server/src/database/engine.ts';
import { TransferError } from '../../server/src/transfer/format.ts';
import { Interrupted } from './interrupted.ts';
import { NotWritten } from './output.ts';
import { OwnFailure } from './own-failure.ts';
import type { CommandContext } from './place.ts';
import { run } from './program.ts';

/** Runs the command that the arguments name, to its exit code; on failure, writes the reason in one line. */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const { env, stderr } = context;
  try {
    return await run(args, context);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    const { code, text } = await explain(error, env);
    // Arguments after -- belong to the command that is run.
    const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (own.includes('--json')) {
      const { asJson } = await import('./exit-codes.ts');
      stderr.write(`${asJson(error, text, code)}\n`);
    } else stderr.write(`petstore: ${text}\n`);
    return code;
  }
}

/** What an address that cannot be listened on is called by depends on whether it had to be looked up. */
type ListenError = NodeJS.ErrnoException & {
  port?: number;
  address?: string;
  hostname?: string;
  deployment?: string;
};

const oneLine = [UnusableDatabase, Unavailable, TransferError, NotWritten];

/** One line a person can act on; only what nobody foresaw comes with its stack. */
async function explain(error: unknown, env: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  if (error instanceof UsageError) return { code: 2, text: error.message };
  if (error instanceof UnknownThing) return { code: 5, text: error.message };
  if (error instanceof OwnFailure) {
    const text = error.message || (await explain(error.cause, env)).text;
    return { code: error.exitCode, text };
  }
  if (oneLine.some((kind) => error instanceof kind)) return { code: 1, text: (error as Error).message };
  const { code, port, address, hostname, deployment } = error as ListenError;
  if (code === 'EADDRINUSE') {
    const taken = `port ${port}${deployment ? ` (${deployment})` : ''} on ${address} is in use`;
    // npm would take the flag for its own.
    const flag = `${env.npm_lifecycle_event === 'start' ? 'npm start -- ' : ''}--port 9000`;
    return { code: 1, text: `${taken}; choose another, such as ${flag}` };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { code: 1, text: `this machine has no address ${address ?? hostname} to listen on` };
  if (code === 'EACCES' && port !== undefined)
    return { code: 1, text: `port ${port} needs more rights than this user has` };
  // Loaded only here: a service has no need of the client.
  const { PetStoreError } = await import('../../client/src/index.ts');
  const { exitCodeOf, explainAnswer } = await import('./exit-codes.ts');
  if (error instanceof PetStoreError) return { code: exitCodeOf(error), text: explainAnswer(error) };
  return { code: 1, text: String((error as Error).stack ?? error) };
}
