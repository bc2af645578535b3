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
  /** The signature header, undefined for none. By default, one signature with the current secret. */
  readonly signature?: (sign: Sign) => string | undefined;
  /** Changes the body after it was signed. */
  readonly tamper?: (body: string) => string;
  readonly undated?: true;
}

/** Signs with the current secret or another one. By default, the signature covers the timestamp that is sent. */
type Sign = (secret?: string, timestamp?: string) => string;

/** Just beyond the five minutes of Standard Webhooks. While a delivery is in transit, a future timestamp comes closer to now. */
const STALE_SECONDS = -302;
const FUTURE_SECONDS = 304;
/** How far two clocks may be apart. */
const SKEW_SECONDS = 30;
const OLDEST_SECRET = randomBytes(24).toString('base64');
const OLD_SECRET = randomBytes(24).toString('base64');

/** Writes JSON as no library does: a receiver that parses it and serializes it again gets different bytes. */
const toUnusualJson = (body: string) =>
  body.replace('"quantity":1', '"quantity":1.0').replace('"data":', ' "name":"Zo\\u00EB é","data":');

/** Texts that programs may use in place of a missing timestamp. */
const missingTimestamps = ['', 'undefined', 'null', 'None', '0'];

const kinds = {
  signed: { accepted: true },
  'same-again': { accepted: true, repeats: 'signed' },
  other: { accepted: true },
  late: { accepted: true, at: -SKEW_SECONDS },
  early: { accepted: true, at: SKEW_SECONDS },
  unusual: { accepted: true, body: toUnusualJson },
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
  // Signatures that differ in one character, or are cut off. `v1,` precedes 44 characters of base64. Index 44 is the last
  // whose bits all count: 45 has unused bits, and 46 is `=`.
  'wrong-end': { accepted: false, signature: (sign) => changeCharacter(sign(), 44) },
  'wrong-middle': { accepted: false, signature: (sign) => changeCharacter(sign(), 4 + randomInt(40)) },
  'wrong-start': { accepted: false, signature: (sign) => changeCharacter(sign(), 3) },
  'wrong-case': { accepted: false, signature: (sign) => `v1,${swapCase(sign().slice(3))}` },
  'cut-off': { accepted: false, signature: (sign) => sign().slice(0, 9) },
  empty: { accepted: false, signature: () => 'v1,' },
  unsigned: { accepted: false, signature: () => undefined },
  tampered: { accepted: false, tamper: (body) => body.replace('"quantity":1', '"quantity":9') },
  stale: { accepted: false, at: STALE_SECONDS },
  future: { accepted: false, at: FUTURE_SECONDS },
  undated: {
    accepted: false,
    undated: true,
    signature: (sign) => [sign(), ...missingTimestamps.map((text) => sign(undefined, text))].join(' '),
  },
  last: { accepted: true },
} as const satisfies Record<string, Kind>;

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));

const changeCharacter = (text: string, at: number) =>
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
  const { at = 0, body: rewrite, signature, tamper, undated } = kind;
  const timestamp = String(Math.floor(now / 1000) + at);
  const plain = JSON.stringify({
    id,
    type: 'order.shipped',
    at: new Date(now).toISOString(),
    data: { id: 2, petId: 1, quantity: 1, status: 'shipped', complete: false },
  });
  const body = rewrite?.(plain) ?? plain;
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
