import type { Asked, Breaking } from './bug.ts';
import type { Operation } from './operations.ts';

/** What the console shows of a planted bug: where it is, and what it is called, if that may be known. */
export interface ListedBug {
  readonly operation: Operation;
  readonly id?: string;
}

/** What the console asks for first, on every page. */
export const isSession = ({ method, path }: Asked): boolean =>
  `${method} ${path}` === 'GET /console/api/session';

/** Tells it to the console, as a field of the session. */
export const showBug = (bug: ListedBug): Breaking => ({
  response(response) {
    if (response.status !== 200) return;
    response.body = JSON.stringify({ ...JSON.parse(response.body), wrongOnPurpose: bug });
  },
});
