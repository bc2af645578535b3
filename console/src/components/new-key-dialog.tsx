import type { NewKey } from '../api/console-api.ts';
import { clearUnsavedKey, isUnsaved, SAVE_KEY_FIRST, unsavedKey } from '../api/unsaved-key.ts';
import { Dialog } from './dialog.tsx';
import { KeyReveal } from './key-reveal.tsx';

/** Shows a new key on any page, until it is saved. */
export function NewKeyDialog({ created, apiBase }: { readonly created: NewKey; readonly apiBase: string }) {
  const mustSave = isUnsaved(unsavedKey.use());
  return (
    <Dialog
      title="Your new key"
      onClose={clearUnsavedKey}
      {...(mustSave && { blockedReason: SAVE_KEY_FIRST })}
      wide
    >
      <KeyReveal created={created} apiBase={apiBase} />
      <div className="mt-5 flex justify-end">
        <button type="button" className="button button-primary" onClick={clearUnsavedKey}>
          I've saved it
        </button>
      </div>
    </Dialog>
  );
}
