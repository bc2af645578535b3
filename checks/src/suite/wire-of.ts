import type { Asked, WireResponse } from '../bugs/bug.ts';
import type { Fired } from '../bugs/exchange.ts';
import { shortened, type WireLine } from '../engine/report.ts';

/** An exchange in which a bug fired, next to the correct response. */
export function wireOf({ forwarded, passedOn, right, sent }: Fired): WireLine {
  const instead = passedOn && `Request sent to the service instead: ${passedOn.method} ${passedOn.path}`;
  const isOther = JSON.stringify(sent) !== JSON.stringify(right);
  const from = sent.body === right.body ? 0 : differenceIn(sent.body, right.body);
  return {
    asked: requestText(forwarded),
    response: responseText(sent, from),
    ...(isOther ? { right: responseText(right, from) } : {}),
    ...(instead === undefined ? {} : { note: instead }),
  };
}

/** The index of the first difference, if any. */
function differenceIn(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const requestText = ({ method, path, headers, body }: Asked) =>
  shortened(`${method} ${path} HTTP/1.1\n${headerText(headers)}\n${body}`);

/** Shows the decoded body, without its content encoding. */
const responseText = (
  { status, headers: { 'content-encoding': _, ...headers }, body }: WireResponse,
  from: number,
) => shortened(`HTTP/1.1 ${status}\n${headerText(headers)}\n${body}`, from);

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
