import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Version, trace, span and flags; ids of all zeros are invalid. Future versions may append fields. */
const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** Ignores malformed headers, and unknown fields of future versions. */
export function parseTraceparent(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [knownFields] = pattern.exec(header) ?? [];
  if (knownFields === undefined || knownFields === header) return knownFields;
  // A copy: a slice would keep the whole header in memory.
  return header.startsWith('00-') ? undefined : Buffer.from(knownFields).toString();
}

const MAX_TRACESTATE = 512;

/** The leading entries of `tracestate` that fit into 512 characters. */
function tracestateOf(header: string | string[] | undefined): string {
  let text = '';
  for (const entry of String(header ?? '').split(',')) {
    const next = text === '' ? entry.trim() : `${text},${entry.trim()}`;
    if (next.length > MAX_TRACESTATE) break;
    text = next;
  }
  return /^[\x20-\x7e]*$/.test(text) ? text : '';
}

/** `traceparent`, followed by a space and `tracestate` if there is one. Stored with a change and sent with its events. */
export function traceContextOf(traceparent: string | undefined, tracestate: string | string[] | undefined) {
  return traceparent && `${traceparent} ${tracestateOf(tracestate)}`.trimEnd();
}

export const currentTraceContext = new AsyncLocalStorage<string>();

/** Headers for a child span. */
export function headersOfNextSpan(context: string): Record<string, string> {
  const [traceparent = '', ...rest] = context.split(' ');
  const [, trace, , flags] = traceparent.split('-');
  const tracestate = rest.join(' ');
  return {
    traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`,
    ...(tracestate && { tracestate }),
  };
}
