import type { Asked, Breaking } from './bug.ts';
import type { Operation } from './operations.ts';

/** A planted bug as shown in the console: its operation, and its name if that may be known. */
export interface ListedBug {
  readonly operation: Operation;
  readonly id?: string;
}

/** The first request of every page: POST in the console, GET elsewhere. */
export const isSession = ({ method, path }: Asked): boolean =>
  path === '/console/api/session' && (method === 'POST' || method === 'GET');

/** Adds it to the session that the console reads. */
export const showBug = (bug: ListedBug): Breaking => ({
  response(response) {
    if (response.status !== 200) return;
    response.body = JSON.stringify({ ...JSON.parse(response.body), wrongOnPurpose: bug });
  },
});
