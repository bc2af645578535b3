import type { Transaction } from './transaction.ts';

/** One kind of change. It refuses before its first write: other commands may share its transaction. */
export interface Verb<Args, Result> {
  readonly name: string;
  readonly run: (tx: Transaction, args: Args) => Promise<Result>;
}

export function verb<Args extends object, Result>(
  name: string,
  run: (tx: Transaction, args: Args) => Promise<Result>,
): Verb<Args, Result> {
  return { name, run };
}

export interface Command {
  readonly verb: Verb<never, unknown>;
  readonly args: object;
  readonly traceparent?: string | undefined;
}

export function storeOf(args: object): bigint | undefined {
  return 'storeId' in args ? (args.storeId as bigint) : undefined;
}
