import { createHmac, randomBytes, randomInt } from 'node:crypto';

/** Kinds of webhook deliveries: genuine ones, and ones that a receiver must reject. */
export type Delivery = keyof typeof kinds;

interface Kind {
  readonly accepted: boolean;
  /** Has the id of another delivery. */
  readonly repeats?: string;
  /** Seconds from now. */
  readonly at?: number;
  readonly body?: (body: string) => string;
  /** The signature header; without it, the one of the current secret. */
  readonly signature?: (sign: Sign) => string | undefined;
  /** Changes what was signed. */
  readonly tamper?: (body: string) => string;
  readonly undated?: true;
}

/** The signature with a secret, over the timestamp that is sent or another text. */
type Sign = (secret?: string, timestamp?: string) => string;

/** Just beyond the five minutes of Standard Webhooks. A stale delivery gets older on its way; a future one, closer. */
const STALE_SECONDS = -302;
const FUTURE_SECONDS = 304;
/** How far two clocks may be apart. */
const SKEW_SECONDS = 30;
const OLDEST_SECRET = randomBytes(24).toString('base64');
const OLD_SECRET = randomBytes(24).toString('base64');

/** JSON in a form that no library writes: a receiver that parses and serializes it gets other bytes. */
const unusual = (body: string) =>
  body.replace('"quantity":1', '"quantity":1.0').replace('"data":', ' "name":"Zo\\u00EB é","data":');

/** What programs make of a header that is missing. */
const missing = ['', 'undefined', 'null', 'None', '0'];

const kinds = {
  signed: { accepted: true },
  'same-again': { accepted: true, repeats: 'signed' },
  other: { accepted: true },
  late: { accepted: true, at: -SKEW_SECONDS },
  early: { accepted: true, at: SKEW_SECONDS },
  unusual: { accepted: true, body: unusual },
  rolled: { accepted: true, signature: (sign) => `${sign(OLD_SECRET)} ${sign()}` },
  'rolled-first': { accepted: true, signature: (sign) => `${sign()} ${sign(OLD_SECRET)}` },
  'rolled-twice': {
    accepted: true,
    signature: (sign) => `${sign(OLDEST_SECRET)} ${sign(OLD_SECRET)} ${sign()}`,
  },
  'old-secret': { accepted: false, signature: (sign) => sign(OLD_SECRET) },
  // Has the id of a genuine delivery that follows, which must be accepted all the same.
  forged: { accepted: false, repeats: 'last', signature: (sign) => sign('another sender') },
  'forged-text': { accepted: false, body: () => 'not JSON', signature: (sign) => sign('another sender') },
  // Signatures that differ in one character, or are cut off. The last character of base64 has unused bits.
  'wrong-end': { accepted: false, signature: (sign) => changed(sign(), 44) },
  'wrong-middle': { accepted: false, signature: (sign) => changed(sign(), 4 + randomInt(40)) },
  'wrong-start': { accepted: false, signature: (sign) => changed(sign(), 3) },
  'wrong-case': { accepted: false, signature: (sign) => `v1,${inOtherCase(sign().slice(3))}` },
  'cut-off': { accepted: false, signature: (sign) => sign().slice(0, 9) },
  empty: { accepted: false, signature: () => 'v1,' },
  unsigned: { accepted: false, signature: () => undefined },
  tampered: { accepted: false, tamper: (body) => body.replace('"quantity":1', '"quantity":9') },
  stale: { accepted: false, at: STALE_SECONDS },
  future: { accepted: false, at: FUTURE_SECONDS },
  undated: {
    accepted: false,
    undated: true,
    signature: (sign) => [sign(), ...missing.map((text) => sign(undefined, text))].join(' '),
  },
  last: { accepted: true },
} as const satisfies Record<string, Kind>;

const inOtherCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const changed = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

/** A delivery as it is sent, in the form of Standard Webhooks. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const isAccepted = (delivery: Delivery): boolean => kinds[delivery].accepted;

/** The deliveries of one run: their ids and their secret are new. */
export interface Batch {
  /** `whsec_…` */
  readonly secret: string;
  eventIdOf(delivery: Delivery): string;
  messageOf(delivery: Delivery, now: number): Message;
}

export function newBatch(): Batch {
  const key = randomBytes(24);
  const names = Object.keys(kinds);
  const first = randomInt(1_000, 1_000_000);
  const eventIdOf = (delivery: Delivery) => {
    const { repeats = delivery }: Kind = kinds[delivery];
    return String(first + names.indexOf(repeats));
  };
  return {
    secret: `whsec_${key.toString('base64')}`,
    eventIdOf,
    messageOf: (delivery, now) => messageOf(kinds[delivery], eventIdOf(delivery), key, now),
  };
}

function messageOf(kind: Kind, id: string, key: Buffer, now: number): Message {
  const { at = 0, body: written, signature, tamper, undated } = kind;
  const timestamp = String(Math.floor(now / 1000) + at);
  const plain = JSON.stringify({
    id,
    type: 'order.shipped',
    at: new Date(now).toISOString(),
    data: { id: 2, petId: 1, quantity: 1, status: 'shipped', complete: false },
  });
  const body = written?.(plain) ?? plain;
  const sign: Sign = (other, time = timestamp) =>
    `v1,${createHmac('sha256', other ?? key)
      .update(`msg_${id}.${time}.${body}`)
      .digest('base64')}`;
  const signatures = signature ? signature(sign) : sign();
  return {
    body: tamper?.(body) ?? body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': `msg_${id}`,
      ...(undated ? {} : { 'webhook-timestamp': timestamp }),
      ...(signatures === undefined ? {} : { 'webhook-signature': signatures }),
    },
  };
}
