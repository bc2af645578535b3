import { unsavedKey } from './api/unsaved-key.ts';
import { navigate, placeInDocs, wantedPlace } from './router/router.ts';

let isNewcomer = false;

/** Remembers a sign-up: somebody new is welcomed, also where the answer with their first key was lost. */
export function noteSignUp(): void {
  isNewcomer = true;
}

/** Goes where somebody wanted to before they signed in; a first key is shown before anything else. */
export function goOn(search: string): void {
  const docs = placeInDocs(search);
  const isWelcomed = isNewcomer || unsavedKey.get()?.isFirst;
  isNewcomer = false;
  if (isWelcomed) navigate(docs ? `/welcome?${search}` : '/welcome', { replace: true });
  else if (docs) location.replace(docs);
  else navigate(wantedPlace(search), { replace: true });
}
