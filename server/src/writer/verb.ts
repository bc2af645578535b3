import type { Transaction } from './transaction.ts';

/** One kind of change. It refuses before its first write: other commands may share its transaction. */
export interface Verb<Args, Result> {
  readonly name: string;
  readonly run: (tx: Transaction, args: Args) => Promise<Result>;
}

/** Every verb of the files that are loaded: a thread is sent names. */
export const verbs = new Map<string, Verb<never, unknown>>();

export function verb<Args extends object, Result>(
  name: string,
  run: (tx: Transaction, args: Args) => Promise<Result>,
): Verb<Args, Result> {
  const made = { name, run };
  verbs.set(name, made);
  return made;
}

export interface Command {
  readonly verb: Verb<never, unknown>;
  readonly args: object;
  readonly traceparent?: string | undefined;
}

export function storeOf(args: object): bigint | undefined {
  return 'storeId' in args ? (args.storeId as bigint) : undefined;
}
