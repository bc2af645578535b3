import { unsavedKey } from './api/unsaved-key.ts';
import { docsReturnPath, navigate, requestedPath } from './router/router.ts';

let isNewcomer = false;

/** Records a sign-up, so that the welcome page is shown even if the response with the first key was lost. */
export function noteSignUp(): void {
  isNewcomer = true;
}

/** Redirects to the page requested before signing in; a first key is shown before that. */
export function continueAfterSignIn(search: string): void {
  const docs = docsReturnPath(search);
  const showsWelcome = isNewcomer || unsavedKey.get()?.isFirst;
  isNewcomer = false;
  if (showsWelcome) navigate(docs ? `/welcome?${search}` : '/welcome', { replace: true });
  else if (docs) location.replace(docs);
  else navigate(requestedPath(search), { replace: true });
}
