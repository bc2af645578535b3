import type { NewKey } from '../api/console-api.ts';
import { isHeld, keySaved, unsavedKey, whyHeld } from '../api/unsaved-key.ts';
import { Dialog } from './dialog.tsx';
import { KeyReveal } from './key-reveal.tsx';

/** Shows a new key on any page, until it is saved. */
export function NewKeyDialog({ made, apiBase }: { readonly made: NewKey; readonly apiBase: string }) {
  const held = isHeld(unsavedKey.use());
  return (
    <Dialog title="Your new key" onClose={keySaved} {...(held && { stays: whyHeld })} wide>
      <KeyReveal made={made} apiBase={apiBase} />
      <div className="mt-5 flex justify-end">
        <button type="button" className="button button-primary" onClick={keySaved}>
          I've saved it
        </button>
      </div>
    </Dialog>
  );
}
