import { Readable } from 'node:stream';
import type { Exchange } from '../http/server/answer.ts';
import { keyInText } from '../key-format.ts';
import { NO_STATUS, type RequestRow } from './record-requests.ts';

const MOST_BODY_BYTES = 4096;
const MOST_PATH = 2000;
const MOST_USER_AGENT = 200;

type Body = string | Buffer | undefined;

/** Noted with as little work as can be; its row is made later. */
export interface NotedRequest extends Omit<RequestRow, 'id' | 'request_body' | 'answer_body'> {
  readonly at: number;
  readonly isRefused: boolean;
  readonly requestBody: Body;
  readonly answerBody: Body;
}

/** Only requests with a key of the store are noted, for its owner. */
export function notedFrom({ request, answer, ms }: Exchange, at: number): NotedRequest | undefined {
  const { caller, operation, headers, url } = request;
  const owner = caller ?? request.refusedKey;
  const isConsole = caller?.sessionId && headers['x-tried-out'] === undefined;
  // Requests of the console, and for this list, would push out those of clients.
  if (!owner || isConsole || operation.operationId === 'listRequests') return undefined;
  const { status, error, isUnsent, body, plain } = answer;
  const userAgent = headers['user-agent'];
  const showsBodies = /^\/(v2\/|mcp$)/.test(url);
  const answerBody = plain ?? (body instanceof Readable ? undefined : body);
  return {
    at,
    isRefused: caller === null,
    store_id: owner.storeId,
    key_id: caller?.sessionId ? 'session' : owner.keyId,
    request_id: request.id,
    method: request.method,
    path: beginningOf(url, MOST_PATH),
    operation: operation.operationId ?? null,
    status: isUnsent ? NO_STATUS : BigInt(status),
    error: isUnsent ? null : (error ?? null),
    fault: request.fault?.kind ?? null,
    micros: BigInt(Math.round(ms * 1000)),
    user_agent: userAgent ? beginningOf(userAgent, MOST_USER_AGENT) : null,
    requestBody: showsBodies ? firstBytes(request.bodyBytes) : undefined,
    traceparent: request.traceparent ?? null,
    answerBody: showsBodies ? firstBytes(answerBody) : undefined,
  };
}

export function rowOf(
  { at, isRefused, requestBody, answerBody, ...noted }: NotedRequest,
  id: bigint,
): RequestRow {
  return {
    ...noted,
    id,
    path: withoutSecrets(noted.path),
    user_agent: textOf(noted.user_agent),
    request_body: textOf(requestBody),
    answer_body: textOf(answerBody),
  };
}

/** A part of a long text is copied, so that the whole is let go. */
function beginningOf(text: string, most: number): string {
  return text.length > most ? Buffer.from(text.slice(0, most)).toString() : text;
}

function firstBytes(body: Body): Body {
  if (!body || body.length <= MOST_BODY_BYTES) return body;
  return Buffer.from(
    typeof body === 'string' ? body.slice(0, MOST_BODY_BYTES) : body.subarray(0, MOST_BODY_BYTES),
  );
}

/** Bytes are counted, not characters. */
function textOf(body: Body | null): string | null {
  if (!body || body.length === 0) return null;
  const text = Buffer.from(body as string).toString('utf8', 0, MOST_BODY_BYTES);
  return withoutSecrets(text.replaceAll('\0', '\uFFFD').toWellFormed());
}

const webhookSecret = /whsec_[A-Za-z0-9+/=]+/g;

/** Where an escape may hide a key, nothing after the first escape is kept. */
function withoutSecrets(text: string): string {
  const plain = text.replace(keyInText, '$1…').replace(webhookSecret, 'whsec_…');
  const hidden = plain.includes('%') && unescaped(plain).search(keyInText) !== -1;
  return hidden ? `${plain.slice(0, plain.indexOf('%'))}%…` : plain;
}

function unescaped(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
