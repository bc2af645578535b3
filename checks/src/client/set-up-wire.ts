import { operationOf } from '../bugs/operations.ts';
import { requestOf, type Wire } from '../engine/wire.ts';
import type { Stage } from './private-store.ts';
import type { Question } from './question.ts';

/** What happens to requests on their way: only those of the question's operation are affected. */
export function onAskedOf(question: Question, call: Stage['call']): Wire['onAsked'] {
  const waiting = [...(question.cancelled ?? [])];
  let isSilent = question.silentOnce ?? false;
  let isExpired = question.expiredCursor ?? false;
  return async (exchange, bytes) => {
    if (operationOf(requestOf(exchange)) !== question.operation) return bytes;
    if (isSilent) {
      isSilent = false;
      return undefined;
    }
    const id = waiting.shift();
    // A shipped order stays unchanged.
    if (id) await call(`DELETE /v2/store/orders/${id}`).catch(() => {});
    if (!isExpired || !/[?&]cursor=./.test(requestOf(exchange).path)) return bytes;
    isExpired = false;
    return Buffer.from(bytes.toString('latin1').replace(/(?<=[?&]cursor=)[^& ]+/, 'expired'), 'latin1');
  };
}

export function changeOf({ events, retryAfterDate, sunset }: Question): Wire['change'] {
  if (events) return cutAfter(events.cutAfter);
  if (sunset !== undefined) return inHeaders(/^sunset: [^\r]+\r/im, () => `sunset: ${sunset}\r`);
  // Plus one second, because dates have no fractions.
  const dated = (_: string, seconds: string) =>
    `retry-after: ${new Date(Date.now() + 1000 * (Number(seconds) + 1)).toUTCString()}\r`;
  return retryAfterDate ? inHeaders(/^retry-after: (\d+)\r/im, dated) : (passed) => ({ passed });
}

const inHeaders =
  (header: RegExp, changed: (header: string, value: string) => string): Wire['change'] =>
  (bytes) => ({ passed: Buffer.from(bytes.toString('latin1').replace(header, changed), 'latin1') });

/** Cuts the first stream after this number of events. */
function cutAfter(events: number): Wire['change'] {
  let left = events;
  return (bytes) => {
    if (left === 0) return { passed: bytes };
    let end = 0;
    while (left > 0) {
      const at = bytes.indexOf('\ndata:', end);
      if (at < 0) return { passed: bytes };
      end = bytes.indexOf('\n\n', at) + 2;
      left -= 1;
    }
    return { passed: bytes.subarray(0, end), cut: true };
  };
}
