import { queryClient, sessionQuery } from './api/queries.ts';
import { sessionResumed } from './api/session-end.ts';
import { forgetKey } from './api/token.ts';
import { navigate } from './router/router.ts';

/** Forgets everything about the account on this page, and shows the way in. */
export function leave(to = '/sign-in'): void {
  forgetKey();
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  sessionResumed();
  navigate(to);
}
