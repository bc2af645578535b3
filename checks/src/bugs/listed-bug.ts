import type { BugHooks, ForwardedRequest } from './bug.ts';
import type { Operation } from './operations.ts';

/** A planted bug as shown in the console; `id` is omitted while it is a secret. */
export interface ListedBug {
  readonly operation: Operation;
  readonly id?: string;
}

/** The first request of every page: POST in the console, GET elsewhere. */
export const isSessionRequest = ({ method, path }: ForwardedRequest): boolean =>
  path === '/console/api/session' && (method === 'POST' || method === 'GET');

/** Adds the bug to the session response, which the console shows. */
export const showBug = (bug: ListedBug): BugHooks => ({
  response(response) {
    if (response.status !== 200) return;
    response.body = JSON.stringify({ ...JSON.parse(response.body), wrongOnPurpose: bug });
  },
});
