import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Version, trace, span and flags; neither of the ids is all zeros. A later version may have more behind it. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;

/** A malformed header counts as absent; of a later version, the part that we know is kept. */
export function parseTraceparent(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [known] = form.exec(header) ?? [];
  if (known === undefined || known === header) return known;
  // A copy lets go of the rest, however long that is.
  return header.startsWith('00-') ? undefined : Buffer.from(known).toString();
}

const MAX_TRACESTATE = 512;

/** The leading entries of `tracestate` that fit into 512 characters. */
function tracestateOf(header: string | string[] | undefined): string {
  let kept = '';
  for (const entry of String(header ?? '').split(',')) {
    const next = kept === '' ? entry.trim() : `${kept},${entry.trim()}`;
    if (next.length > MAX_TRACESTATE) break;
    kept = next;
  }
  return /^[\x20-\x7e]*$/.test(kept) ? kept : '';
}

/** `traceparent`, and `tracestate` after a space if there is one: stored with a change, and sent with its events. */
export function traceContextOf(traceparent: string | undefined, tracestate: string | string[] | undefined) {
  return traceparent && `${traceparent} ${tracestateOf(tracestate)}`.trimEnd();
}

export const currentTraceContext = new AsyncLocalStorage<string>();

/** The headers of a new span in a trace context. */
export function headersOfNextSpan(context: string): Record<string, string> {
  const [traceparent = '', ...rest] = context.split(' ');
  const [, trace, , flags] = traceparent.split('-');
  const tracestate = rest.join(' ');
  return {
    traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-${flags}`,
    ...(tracestate && { tracestate }),
  };
}
