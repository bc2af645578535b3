import { setShownIdentity } from './api/current-account.ts';
import { queryClient, sessionQuery } from './api/queries.ts';
import { sessionEnded } from './api/session-ended.ts';
import { forgetKey } from './api/token.ts';
import { clearUnsavedKey } from './api/unsaved-key.ts';
import { unsavedSecret } from './api/unsaved-secret.ts';
import { navigate } from './router/router.ts';

/** Clears all state of the session and goes to the sign-in page. */
export function endSession(to = '/sign-in'): void {
  forgetKey();
  setShownIdentity(null);
  clearUnsavedKey();
  unsavedSecret.set(undefined);
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  sessionEnded.set(false);
  navigate(to);
}
