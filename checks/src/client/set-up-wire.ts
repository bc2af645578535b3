import { operationOf } from '../bugs/operations.ts';
import { forward, requestOf, type Wire } from '../engine/wire.ts';
import type { Stage } from './private-store.ts';
import type { Question } from './question.ts';

/** What happens to requests on their way: only those of the question's operation are affected. */
export function onAskedOf(question: Question, call: Stage['call']): Wire['onAsked'] {
  const waiting = [...(question.cancelled ?? [])];
  let isSilent = question.silentOnce === 'before the response';
  let isExpired = question.expiredCursor ?? false;
  return async (exchange, bytes) => {
    if (operationOf(requestOf(exchange)) !== question.operation) return forward(exchange, bytes);
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

const unchanged: Wire['change'] = (passed) => ({ passed });

/** What happens to responses on their way: only those of the question's operation are affected. */
export function changeOf(question: Question): Wire['change'] {
  const change = changeOfOperation(question);
  return (bytes, exchange) => {
    const isAffected = exchange && operationOf(requestOf(exchange)) === question.operation;
    return (isAffected ? change : unchanged)(bytes, exchange);
  };
}

function changeOfOperation(question: Question): Wire['change'] {
  const { events, retryAfterDate, sunset, addedField, silentOnce } = question;
  if (events) return cutAfter(events.cutAfter);
  if (sunset) return sunset.date ? inHeaders(sunsetLine, () => `sunset: ${sunset.date}\r\n`) : undeprecated;
  if (addedField !== undefined) return withField(addedField);
  if (silentOnce === 'within the body') return stallOnce();
  // Plus one second, because dates have no fractions.
  const dated = (_: string, seconds: string) =>
    `retry-after: ${new Date(Date.now() + 1000 * (Number(seconds) + 1)).toUTCString()}\r\n`;
  return retryAfterDate ? inHeaders(/^retry-after: (\d+)\r\n/im, dated) : unchanged;
}

const sunsetLine = /^sunset: [^\r]+\r\n/im;

const inHeaders =
  (header: RegExp, changed: (header: string, value: string) => string): Wire['change'] =>
  (bytes) => ({ passed: Buffer.from(bytes.toString('latin1').replace(header, changed), 'latin1') });

const undeprecated = inHeaders(/^(deprecation|sunset|link): [^\r]+\r\n/gim, () => '');

/** Adds a field to a JSON object. */
function withField(name: string): Wire['change'] {
  const field = `"${name}":["new"],`;
  const longer = (_: string, length: string) => `content-length: ${Number(length) + field.length}\r\n`;
  return (bytes) => {
    const text = bytes.toString('latin1');
    const withLength = text.replace(/^content-length: (\d+)\r\n/im, longer);
    return { passed: Buffer.from(withLength.replace(/(?<=^|\r\n\r\n)\{/, `{${field}`), 'latin1') };
  };
}

/** Passes on the head of the first response and the first byte of its body. */
function stallOnce(): Wire['change'] {
  let stalled: object | undefined;
  return (bytes, exchange) => {
    const end = bytes.indexOf('\r\n\r\n');
    if (stalled) return { passed: stalled === exchange ? Buffer.alloc(0) : bytes };
    if (end < 0) return { passed: bytes };
    stalled = exchange;
    return { passed: bytes.subarray(0, end + 5) };
  };
}

/** Cuts the first stream after this number of events, behind the id of the next one. */
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
    const next = /^(?:[0-9a-f]+\r\n|\r\n)*id: \d+\n/.exec(bytes.toString('latin1', end))?.[0] ?? '';
    return { passed: bytes.subarray(0, end + next.length), cut: true };
  };
}
