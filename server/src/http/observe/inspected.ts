import type { Inspected } from '../../background/inspector.ts';
import { keyInText } from '../../keys/key-format.ts';
import type { Exchange } from './exchange.ts';

const MOST_BODY_BYTES = 4096;
const MOST_PATH = 2000;
const MOST_USER_AGENT = 200;

/** What the owner of a store may see of a request with a key of theirs; undefined for any other. */
export function inspectedFrom(exchange: Exchange): Inspected | undefined {
  const { caller, refusedKey } = exchange;
  const known = caller ?? refusedKey;
  // What the console asks for in somebody's name, and looking itself, would fill the list with nothing of theirs.
  if (!known || caller?.sessionId || exchange.operation === 'listRequests') return undefined;
  const showsBodies = exchange.url.startsWith('/v2/');
  const { id, method, operation, status, error, ms, userAgent } = exchange;
  const url = exchange.url.slice(0, MOST_PATH);
  // Only what will be written is held on to, not the whole of a long answer.
  const requestBody = showsBodies ? beginningOf(exchange.requestBody) : undefined;
  const answerBody = showsBodies ? beginningOf(exchange.answerBody) : undefined;
  return {
    storeId: known.storeId,
    row: () => ({
      keyId: known.keyId,
      requestId: id,
      method,
      path: withoutSecrets(url),
      operation: operation ?? null,
      status: BigInt(status),
      error: error ?? null,
      micros: BigInt(Math.round(ms * 1000)),
      userAgent: textOf(userAgent?.slice(0, MOST_USER_AGENT)),
      requestBody: textOf(requestBody),
      answerBody: textOf(answerBody),
    }),
  };
}

/** Bytes are counted, and a part of a long text is copied, so that the whole is let go. */
function beginningOf(body: string | Buffer | undefined): Buffer | undefined {
  if (typeof body === 'string')
    return Buffer.from(body.slice(0, MOST_BODY_BYTES)).subarray(0, MOST_BODY_BYTES);
  return body && body.length > MOST_BODY_BYTES ? Buffer.from(body.subarray(0, MOST_BODY_BYTES)) : body;
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
