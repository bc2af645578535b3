import { Mismatch } from '../mismatch.ts';
import type { Result } from '../run.ts';

/** One way to tell what came of a run. */
export type Report = {
  /** Told of each check as it is done. */
  result(result: Result): void;
  end(count: Count, notes: readonly string[]): void;
};

export type Count = Record<Result['verdict'], number>;

const longest = 300;

/** A line that shows no key and is not too long to read. */
function shorten(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((clean, secret) => clean.replaceAll(secret, '<API_KEY>'), text);
  const line = hidden.replace(/\p{Cc}+/gu, ' ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

export type Failure = { in?: string; expected?: string; received?: string; failed?: string };

export function failureOf(error: unknown, secrets: readonly string[]): Failure {
  const short = (text: string) => shorten(text, secrets);
  if (!(error instanceof Mismatch)) {
    return { failed: short(error instanceof Error ? error.message || error.name : String(error)) };
  }
  const { where, expected, received } = error;
  return { ...(where && { in: short(where) }), expected: short(expected), received: short(received) };
}
