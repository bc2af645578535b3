import { type StoreMessage, toMessage } from './events.ts';
import { parseJson } from './json.ts';

/** The signature is invalid, or its timestamp is too far from the current time. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/** Request headers of `fetch` or Node's `http`. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference of the timestamp, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /** Milliseconds since 1970. Default: the current time. */
  readonly now?: number | undefined;
}

/**
 * Verifies a message according to Standard Webhooks and returns it. The body must be the raw text: parsing and serializing
 * it again may invalidate the signature. With several secrets, any may match.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  { tolerance = 300, now = Date.now() }: VerifyOptions = {},
): Promise<StoreMessage> {
  const id = requiredHeader(headers, 'webhook-id');
  const timestamp = requiredHeader(headers, 'webhook-timestamp');
  const signatures = requiredHeader(headers, 'webhook-signature').split(' ');
  if (!/^\d+$/.test(timestamp))
    throw new WebhookVerificationError('webhook-timestamp must be a Unix time in seconds');
  if (Math.abs(now / 1000 - Number(timestamp)) > tolerance)
    throw new WebhookVerificationError(`webhook-timestamp is more than ${tolerance} s in the past or future`);

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const keys = await Promise.all([secrets].flat().map(keyOf));
  for (const signature of signatures.flatMap(bytesOf)) {
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return read(text);
  }
  throw new WebhookVerificationError('no signature matches');
}

/** A header that Node read twice, as an array, counts as missing. */
function requiredHeader(headers: ReceivedHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/=]+)$/.exec(secret) ?? [];
  const bytes = decodeBase64(text);
  if (!bytes?.length) throw new TypeError('a webhook secret must start with whsec_');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Ignores signatures of other versions. */
function bytesOf(signature: string): Uint8Array<ArrayBuffer>[] {
  const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined;
  return bytes ? [bytes] : [];
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function read(text: string): StoreMessage {
  try {
    return toMessage(parseJson(text));
  } catch {
    throw new WebhookVerificationError('the body is not an event');
  }
}
