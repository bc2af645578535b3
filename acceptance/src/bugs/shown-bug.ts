import type { Asked, Breaking } from './bug.ts';
import type { Operation } from './operations.ts';

/** What the console shows of a planted bug: where it is, and what it is called, if that may be known. */
export interface ShownBug {
  readonly operation: Operation;
  readonly id?: string;
}

/** What the console asks for first, on every page. */
export const isSession = ({ method, path }: Asked): boolean =>
  `${method} ${path}` === 'GET /console/api/session';

/** Tells it to the console, as a field of the session. */
export const showBug = (bug: ShownBug): Breaking => ({
  answer(answered) {
    if (answered.status !== 200) return;
    answered.body = JSON.stringify({ ...JSON.parse(answered.body), wrongOnPurpose: bug });
  },
});
