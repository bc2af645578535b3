import { operationOf } from '../bugs/operations.ts';
import { forward, requestOf, type Wire } from '../engine/wire.ts';
import type { TestStore } from './private-store.ts';
import type { CutPoint, HeaderCase, Question } from './question.ts';

/** What happens to requests on their way: only those of the question's operation are affected. */
export function onRequestOf(question: Question, call: TestStore['call']): Wire['onRequest'] {
  const toCancel = [...(question.cancelBefore ?? [])];
  const { fault, faultAt = /^/ } = question;
  // Each happens once, at the first request to which it applies.
  let mustArm = fault !== undefined;
  let mustShorten = question.shortPages ?? false;
  let mustStaySilent = question.silentOnce === 'before the response';
  let mustExpire = question.expiredCursor ?? false;
  return async (exchange, bytes) => {
    const request = requestOf(exchange);
    if (operationOf(request) !== question.operation) return forward(exchange, bytes);
    // Armed no earlier, because a HEAD of the same resource would use it up.
    if (mustArm && faultAt.test(request.path)) {
      mustArm = false;
      await call('PUT /v2/sandbox/faults', [fault]);
    }
    if (mustStaySilent) {
      mustStaySilent = false;
      return undefined;
    }
    const id = toCancel.shift();
    // An order that has shipped cannot be cancelled: this error is expected.
    if (id) await call(`DELETE /v2/store/orders/${id}`).catch(() => {});
    if (mustShorten && /[?&]limit=\d/.test(request.path)) {
      mustShorten = false;
      return replaceIn(bytes, /(?<=[?&]limit=)\d+/, (limit) => String(Math.ceil(Number(limit) / 2)));
    }
    if (!mustExpire || !/[?&]cursor=./.test(request.path)) return bytes;
    mustExpire = false;
    return replaceIn(bytes, /(?<=[?&]cursor=)[^& ]+/, () => 'expired');
  };
}

const replaceIn = (bytes: Buffer, pattern: RegExp, by: (...found: string[]) => string) =>
  Buffer.from(bytes.toString('latin1').replace(pattern, by), 'latin1');

const passUnchanged: Wire['change'] = (passed) => ({ passed });

/** What happens to responses on their way: only those of the question's operation are affected. */
export function changeOf(question: Question): Wire['change'] {
  const change = changeOfOperation(question);
  const { headerCase } = question;
  return (bytes, exchange) => {
    const isAffected = exchange && operationOf(requestOf(exchange)) === question.operation;
    if (!isAffected) return passUnchanged(bytes, exchange);
    const { passed, ...rest } = change(bytes, exchange);
    return { passed: headerCase ? withHeaderCase(passed, headerCase) : passed, ...rest };
  };
}

/** Changes the letter case of the response header names, which are case-insensitive. */
function withHeaderCase(bytes: Buffer, headerCase: HeaderCase): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0 || !bytes.subarray(0, 5).equals(Buffer.from('HTTP/'))) return bytes;
  const cased = (name: string) =>
    headerCase === 'upper'
      ? name.toUpperCase()
      : name
          .toLowerCase()
          .replace(/\b[a-z]/g, (letter) => (headerCase === 'title' ? letter.toUpperCase() : letter));
  const head = replaceIn(bytes.subarray(0, end), /(?<=\n)[\w-]+(?=:)/g, cased);
  return Buffer.concat([head, bytes.subarray(end)]);
}

function changeOfOperation(question: Question): Wire['change'] {
  const { events, retryAfterDate, sunset, addedField, silentOnce, unusualJson } = question;
  if (events) return cutAfter(events);
  if (unusualJson) return rewriteJson();
  if (sunset)
    return sunset.date ? replaceHeaders(sunsetLine, () => `sunset: ${sunset.date}\r\n`) : removeDeprecation;
  if (addedField !== undefined) return addField(addedField);
  if (silentOnce === 'within the body') return stallOnce();
  if (retryAfterDate === undefined) return passUnchanged;
  const dated = () => `retry-after: ${new Date(Date.now() + 1000 * retryAfterDate).toUTCString()}\r\n`;
  return replaceHeaders(/^retry-after: \d+\r\n/im, dated);
}

const sunsetLine = /^sunset: [^\r]+\r\n/im;

const replaceHeaders =
  (header: RegExp, changed: (header: string, value: string) => string): Wire['change'] =>
  (bytes) => ({ passed: Buffer.from(bytes.toString('latin1').replace(header, changed), 'latin1') });

const removeDeprecation = replaceHeaders(/^(deprecation|sunset|link): [^\r]+\r\n/gim, () => '');

/** Adds a field to a JSON object. */
function addField(name: string): Wire['change'] {
  const field = `"${name}":["new"],`;
  const lengthened = (_: string, length: string) => `content-length: ${Number(length) + field.length}\r\n`;
  return (bytes) => {
    const text = bytes.toString('latin1');
    const withLength = text.replace(/^content-length: (\d+)\r\n/im, lengthened);
    return { passed: Buffer.from(withLength.replace(/(?<=^|\r\n\r\n)\{/, `{${field}`), 'latin1') };
  };
}

/** Passes on the head of the first response and the first byte of its body. */
function stallOnce(): Wire['change'] {
  let mustStall = true;
  return (bytes) => {
    const end = bytes.indexOf('\r\n\r\n');
    if (!mustStall || end < 0) return { passed: bytes };
    mustStall = false;
    return { passed: bytes.subarray(0, end + 5), afterwards: 'stall' };
  };
}

/** Buffers the response and writes its JSON object with other whitespace, order and escapes. */
function rewriteJson(): Wire['change'] {
  let received: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const all = Buffer.concat([received, bytes]);
    const end = all.indexOf('\r\n\r\n') + 4;
    received = all;
    const length = Number(/^content-length: (\d+)\r\n/im.exec(all.toString('latin1', 0, end))?.[1]);
    if (end < 4 || all.length < end + length) return { passed: Buffer.alloc(0) };
    received = Buffer.alloc(0);
    const fields = Object.entries(JSON.parse(all.toString('utf8', end)));
    const escaped = (value: unknown) => JSON.stringify(value).replace(/[A-Z]/g, asEscape);
    const lines = fields.toReversed().map(([name, value]) => `\t"${name}" : ${escaped(value)}`);
    const body = Buffer.from(`{\r\n${lines.join(' ,\r\n')}\r\n}\n`);
    const resized = replaceIn(all.subarray(0, end), /(?<=^content-length: )\d+/im, () => String(body.length));
    return { passed: Buffer.concat([resized, body]) };
  };
}

const asEscape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Matches the part of the interrupted event that is still sent, with any chunk-size lines before it. */
const beginnings: Readonly<Record<CutPoint, RegExp>> = {
  'after its id': /^(?:[0-9a-f]+\r\n|\r\n)*id: \d+\n/,
  'within its id': /^(?:[0-9a-f]+\r\n|\r\n)*id: \d(?=\d)/,
  'within its data': /^(?:[0-9a-f]+\r\n|\r\n)*id: \d+\n(?:event: .*\n)?data: .{20}/,
};

/** Cuts the first stream after this number of events, within the next one. */
function cutAfter({ cutAfter: events, cut }: { cutAfter: number; cut: CutPoint }): Wire['change'] {
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
    const next = beginnings[cut].exec(bytes.toString('latin1', end))?.[0] ?? '';
    return { passed: bytes.subarray(0, end + next.length), afterwards: 'cut' };
  };
}
