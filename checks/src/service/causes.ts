import { shortened } from '../engine/report.ts';
import type { Response } from './http.ts';
import { Mismatch } from './mismatch.ts';
import type { Result } from './run.ts';

const MAX_TEXT = 300;

export type Failed = Extract<Result, { verdict: 'failed' }>;

/** One cause of failures, and the checks that it fails. */
export interface Cause {
  readonly title: string;
  readonly failed: readonly Failed[];
}

export interface Problem {
  readonly expected: string;
  readonly observed: string;
  /** The request in short. */
  readonly where: string;
}

/** Text for a report: one line, bounded, without API keys. */
export type Clean = (text: string) => string;

const MIN_UNIQUE_LENGTH = 8;

/** A short key, such as `any` for a mock, may be part of a word: it is replaced only where it stands alone. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => {
    if (secret.length >= MIN_UNIQUE_LENGTH) return clean.replaceAll(secret, '<API_KEY>');
    const literal = secret.replace(/[^\w]/g, '\\$&');
    return clean.replace(new RegExp(`(?<!\\w)${literal}(?!\\w)`, 'g'), '<API_KEY>');
  }, text);
}

export function cleanerOf(secrets: readonly string[]): Clean {
  return (text) => {
    const line = withoutSecrets(text, secrets).replace(/\p{Cc}+/gu, ' ');
    return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
  };
}

export function problemOf({ error }: Failed, clean: Clean): Problem {
  if (error instanceof Mismatch)
    return { expected: clean(error.expected), observed: clean(error.received), where: clean(error.where) };
  const { message, name, code } = error as NodeJS.ErrnoException;
  return { expected: 'a response', observed: clean(message || code || name), where: '' };
}

export const textOf = ({ expected, observed, where }: Problem): string =>
  `${where ? `${where}: ` : ''}expected ${expected}, observed ${observed}`;

/** Groups failures that have the same expectation and the same kind of observation; the largest group first. */
export function causesOf(failed: readonly Failed[], clean: Clean): Cause[] {
  const groups = Map.groupBy(failed, (one) => titleOf(problemOf(one, clean)));
  return [...groups]
    .map(([title, some]) => ({ title, failed: some }))
    .sort((a, b) => b.failed.length - a.failed.length);
}

/** Failures with the same title are one cause: IDs, dates and bodies are left out, and numbers other than a status become `N`. */
function titleOf({ expected, observed }: Problem): string {
  const [status] = /^\d{3}(?= |$)/.exec(observed) ?? [];
  const kind = status ?? (expected === 'a response' ? observed : undefined);
  const what = /^(status|content type|the field) /.test(expected)
    ? expected
    : // Digits in a name, such as `v1` or `UTF-8`, stay.
      expected.replace(/(?<![a-z]\d*|UTF-?)-?\d+/g, 'N');
  return `expected ${what}${kind === undefined ? '' : `, observed ${kind}`}`;
}

/** The exchange behind a failure, shortened and without keys. */
export function exchangeOf({ exchange }: Failed, secrets: readonly string[]) {
  if (!exchange) return undefined;
  const hide = (text: string) => withoutSecrets(text, secrets);
  const { requestText, responseHead, text }: Response = exchange;
  return { request: hide(shortened(requestText)), response: hide(shortened(`${responseHead}\n\n${text}`)) };
}
