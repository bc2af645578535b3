import type { Exchange } from '../http/observe/exchange.ts';
import { keyInText } from '../key-format.ts';
import { NO_STATUS, type RequestRow } from './record-requests.ts';

const MOST_BODY_BYTES = 4096;
const MOST_PATH = 2000;
const MOST_USER_AGENT = 200;

type Body = string | Buffer | undefined;

/** What is noted of a request, with as little work as can be; its row is made of it later. */
export interface Inspected
  extends Omit<Exchange, 'caller' | 'refusedKey' | 'requestBody' | 'fullName' | 'address' | 'traceparent'> {
  readonly storeId: bigint;
  readonly keyId: string;
  readonly at: number;
  /** Whether that key does not work, or not any more. */
  readonly isRefused: boolean;
  readonly requestBody: Body;
}

/** What the owner of a store may see of a request with a key of theirs; undefined for any other. */
export function inspectedFrom(exchange: Exchange, at: number): Inspected | undefined {
  const { caller, refusedKey, isTriedOut, id, method, url, operation, status, error, ms, userAgent } =
    exchange;
  const known = caller ?? refusedKey;
  // What the console asks for in somebody's name, and looking itself, would fill the list with nothing of theirs.
  if (!known || (caller?.sessionId && !isTriedOut) || operation === 'listRequests') return undefined;
  const showsBodies = /^\/(v2\/|mcp$)/.test(url);
  return {
    storeId: known.storeId,
    keyId: caller?.sessionId ? 'session' : known.keyId,
    at,
    isRefused: caller === null,
    id,
    method,
    url: beginningOf(url, MOST_PATH),
    operation,
    status,
    error,
    fault: exchange.fault,
    isUnsent: exchange.isUnsent,
    isTriedOut,
    ms,
    userAgent: userAgent && beginningOf(userAgent, MOST_USER_AGENT),
    requestBody: showsBodies ? held(exchange.requestBody) : undefined,
    answerBody: showsBodies ? held(exchange.answerBody) : undefined,
  };
}

export function requestRow(noted: Inspected): Omit<RequestRow, 'id'> {
  return {
    storeId: noted.storeId,
    keyId: noted.keyId,
    requestId: noted.id,
    method: noted.method,
    path: withoutSecrets(noted.url),
    operation: noted.operation ?? null,
    status: noted.isUnsent ? NO_STATUS : BigInt(noted.status),
    error: noted.isUnsent ? null : (noted.error ?? null),
    fault: noted.fault ?? null,
    micros: BigInt(Math.round(noted.ms * 1000)),
    userAgent: textOf(noted.userAgent),
    requestBody: textOf(firstBytes(noted.requestBody)),
    answerBody: textOf(firstBytes(noted.answerBody)),
  };
}

/** A part of a long text or body is copied, so that the whole is let go. */
function beginningOf(text: string, most: number): string {
  return text.length > most ? Buffer.from(text.slice(0, most)).toString() : text;
}

function held(body: Body): Body {
  if (!body || body.length <= MOST_BODY_BYTES) return body;
  const first = firstBytes(body) as Buffer;
  return typeof body === 'string' ? first : Buffer.from(first);
}

/** Bytes are counted, not characters. Those of a text are a copy. */
function firstBytes(body: Body): Buffer | undefined {
  const bytes = typeof body === 'string' ? Buffer.from(body.slice(0, MOST_BODY_BYTES)) : body;
  return bytes?.subarray(0, MOST_BODY_BYTES);
}

function textOf(body: Buffer | string | undefined): string | null {
  if (body === undefined || body.length === 0) return null;
  const text = typeof body === 'string' ? body : body.toString('utf8');
  return withoutSecrets(text.replaceAll('\0', '\uFFFD').toWellFormed());
}

/** Secrets of webhooks are shown once, and not here. */
const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;

/** Text without keys and secrets. Where an escape may hide one, nothing after the first escape is kept. */
function withoutSecrets(text: string): string {
  const plain = text.replace(keyInText, '$1…').replace(webhookSecret, 'whsec_…');
  const hidden = plain.includes('%') && unescaped(plain).search(keyInText) !== -1;
  return hidden ? `${plain.slice(0, plain.indexOf('%'))}%…` : plain;
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
