import type { ForwardedRequest, WireResponse } from '../bugs/bug.ts';
import type { BugEffect } from '../bugs/exchange.ts';
import { shortened, type WireLine } from '../engine/report.ts';

/** An exchange in which a bug fired, next to the correct response. */
export function wireOf({ forwarded, changedRequest, correct, sent }: BugEffect): WireLine {
  const note =
    changedRequest && `Request sent to the service instead: ${changedRequest.method} ${changedRequest.path}`;
  const isChanged = JSON.stringify(sent) !== JSON.stringify(correct);
  const from = sent.body === correct.body ? 0 : differenceIn(sent.body, correct.body);
  const headers = Object.keys({ ...sent.headers, ...correct.headers }).filter(
    (name) => name !== 'content-length' && sent.headers[name] !== correct.headers[name],
  );
  return {
    request: requestText(forwarded),
    response: responseText(sent, from, headers),
    ...(isChanged ? { correctResponse: responseText(correct, from, headers) } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

/** The index of the first difference, if any. */
function differenceIn(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const requestText = ({ method, path, headers, body }: ForwardedRequest) =>
  shortened(`${method} ${path} HTTP/1.1\n${headerText(headers)}\n${bodyText(headers, body)}`);

/** Shows the decoded body, without its content encoding. */
const responseText = (
  { status, headers: { 'content-encoding': _, ...headers }, body }: WireResponse,
  from: number,
  evidenceHeaders: readonly string[],
) =>
  shortened(`HTTP/1.1 ${status}\n${headerText(headers)}\n${bodyText(headers, body)}`, from, evidenceHeaders);

/** Bodies that no bug looks at are forwarded without being buffered. */
const bodyText = (headers: Readonly<Record<string, string>>, body: string) =>
  body === '' && (Number(headers['content-length']) > 0 || 'transfer-encoding' in headers)
    ? '(body not recorded)'
    : body;

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
