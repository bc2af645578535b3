import { createHmac } from 'node:crypto';

/** Kinds of webhook deliveries: genuine ones, and ones that a receiver must reject. */
export type Delivery = keyof typeof kinds;

interface Kind {
  /** The event, and its `webhook-id`. */
  readonly id: string;
  readonly accepted: boolean;
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

/** Twice the tolerance of Standard Webhooks. */
const TEN_MINUTES = 600;
const OLD_SECRET = 'a secret before it was rolled';

/** Written as no JSON library writes it: a receiver that parses and serializes it gets other bytes. */
const unusual = (body: string) =>
  body.replace('"quantity":1', '"quantity":1.0').replace('"data":', ' "name":"Zo\\u00EB","data":');

/** What programs make of a header that is missing. */
const missing = ['', 'undefined', 'null', 'None', '0'];

const kinds = {
  signed: { id: '101', accepted: true },
  'same-again': { id: '101', accepted: true },
  unusual: { id: '102', accepted: true, body: unusual },
  rolled: { id: '103', accepted: true, signature: (sign) => `${sign(OLD_SECRET)} ${sign()}` },
  'old-secret': { id: '201', accepted: false, signature: (sign) => sign(OLD_SECRET) },
  forged: { id: '202', accepted: false, signature: (sign) => sign('another sender') },
  // Only the end differs, only the beginning, or the rest is missing. The last character has bits that say nothing.
  'wrong-end': { id: '203', accepted: false, signature: (sign) => changed(sign(), 44) },
  'wrong-start': { id: '204', accepted: false, signature: (sign) => changed(sign(), 3) },
  'cut-off': { id: '205', accepted: false, signature: (sign) => sign().slice(0, 9) },
  empty: { id: '206', accepted: false, signature: () => 'v1,' },
  unsigned: { id: '207', accepted: false, signature: () => undefined },
  tampered: { id: '208', accepted: false, tamper: (body) => body.replace('"quantity":1', '"quantity":9') },
  stale: { id: '209', accepted: false, at: -TEN_MINUTES },
  future: { id: '210', accepted: false, at: TEN_MINUTES },
  undated: {
    id: '211',
    accepted: false,
    undated: true,
    signature: (sign) => [sign(), ...missing.map((text) => sign(undefined, text))].join(' '),
  },
  last: { id: '104', accepted: true },
} as const satisfies Record<string, Kind>;

const changed = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

/** A delivery as it is sent, in the form of Standard Webhooks. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const eventIdOf = (delivery: Delivery): string => kinds[delivery].id;
export const isAccepted = (delivery: Delivery): boolean => kinds[delivery].accepted;

export function messageOf(delivery: Delivery, secret: string, now: number): Message {
  const { id, at = 0, body: written, signature, tamper, undated }: Kind = kinds[delivery];
  const timestamp = String(Math.floor(now / 1000) + at);
  const plain = JSON.stringify({
    id,
    type: 'order.shipped',
    at: new Date(now).toISOString(),
    data: { id: 2, petId: 1, quantity: 1, status: 'shipped', complete: false },
  });
  const body = written?.(plain) ?? plain;
  const sign: Sign = (other, time = timestamp) => {
    const key = other === undefined ? Buffer.from(secret.replace('whsec_', ''), 'base64') : other;
    return `v1,${createHmac('sha256', key).update(`msg_${id}.${time}.${body}`).digest('base64')}`;
  };
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
