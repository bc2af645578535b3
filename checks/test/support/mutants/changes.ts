import type { BugHooks, ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import type { Operation } from '../../../src/bugs/operations.ts';

/** One broken promise, and the checks of the suite that must bring it to light, by how their ids begin. */
export interface Mutant extends BugHooks {
  readonly name: string;
  readonly noticedBy: string;
  /** The only operation that is touched; without it all are. */
  readonly operation?: Operation;
}

export const isOrders = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && /^\/v1\/store\/orders(\?|$)/.test(path);
export const isPets = ({ method, path }: ForwardedRequest) =>
  method === 'GET' && /^\/v1\/pets(\?|$)/.test(path);
export const isPet = ({ path }: ForwardedRequest) => /^\/v1\/pets\/./.test(path);
export const isCancel = ({ method, path }: ForwardedRequest) =>
  method === 'DELETE' && /^\/v1\/store\/orders\/./.test(path);
export const authorizationOf = ({ headers }: ForwardedRequest) => headers.authorization ?? '';

/** Changes the responses that satisfy a condition. */
export const whenever =
  (
    condition: (response: WireResponse, forwarded: ForwardedRequest) => boolean,
    change: (response: WireResponse) => void,
  ): Required<BugHooks>['response'] =>
  (response, forwarded) => {
    if (condition(response, forwarded)) change(response);
  };
export const inOrders = (change: (body: string) => string) =>
  whenever(
    ({ status }, forwarded) => status === 200 && isOrders(forwarded),
    (response) => {
      response.body = change(response.body);
    },
  );
export const inPets = (change: (body: string) => string) =>
  whenever(
    ({ status }, forwarded) => status === 200 && isPets(forwarded),
    (response) => {
      response.body = change(response.body);
    },
  );
export const inStatus = (status: number, change: (response: WireResponse) => void) =>
  whenever((response) => response.status === status, change);
export const inErrors = (change: (body: string) => string) =>
  whenever(
    ({ status, body }) => status >= 400 && body !== '',
    (response) => {
      response.body = change(response.body);
    },
  );
export const without = (name: string) =>
  whenever(
    ({ headers }) => name in headers,
    ({ headers }) => {
      delete headers[name];
    },
  );
export const becomes = (status: number) => (response: WireResponse) => {
  response.status = status;
  response.body = response.body.replace(/"status":\d+/, `"status":${status}`);
};
export const rounded = (digits: string) => BigInt(Number(digits)).toString();
export const inPath =
  (pattern: RegExp, change: (found: string) => string) => (forwarded: ForwardedRequest) => {
    forwarded.path = forwarded.path.replace(pattern, change);
  };
export const withoutHeader = (name: string) => (forwarded: ForwardedRequest) => {
  delete forwarded.headers[name];
};
export const reversed = (body: string) =>
  `[${[...body.matchAll(/\{[^}]*\}/g)]
    .map(([item]) => item)
    .reverse()
    .join()}]`;
export const anHourLater = (body: string) =>
  body.replace(/"shipDate":"([^"]+)"/g, (_, text: string) => {
    const date = new Date(Date.parse(text) + 3_600_000);
    return `"shipDate":"${date.toISOString()}"`;
  });

/** Deletes a header of the responses with this status. */
export const drops = (status: number, name: string) =>
  inStatus(status, ({ headers }) => {
    delete headers[name];
  });
/** Changes the bodies of the responses to these paths. */
export const inText = (path: RegExp, change: (text: string) => string) =>
  whenever(
    (response, forwarded) => path.test(forwarded.path) && response.body !== '',
    (response) => {
      response.body = change(response.body);
    },
  );
export const sets = (name: string, value: string) => (response: WireResponse) => {
  response.headers[name] = value;
};
