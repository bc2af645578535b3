import { unsavedKey } from './api/unsaved-key.ts';
import { navigate, placeInDocs, wantedPlace } from './router/router.ts';

/** Goes where somebody wanted to before they signed in; a first key is shown before anything else. */
export function goOn(search: string): void {
  const docs = placeInDocs(search);
  if (unsavedKey.get()?.isFirst) navigate(docs ? `/welcome?${search}` : '/welcome', { replace: true });
  else if (docs) location.replace(docs);
  else navigate(wantedPlace(search), { replace: true });
}
