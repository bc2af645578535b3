import type { Deployment } from '../api/console-api.ts';
import { heldBack, keySaved, unsavedKey, whyHeld } from '../api/unsaved-key.ts';
import { FirstCall } from '../components/first-call.tsx';
import { Icon } from '../components/icon.tsx';
import { KeyReveal } from '../components/key-reveal.tsx';
import { Page } from '../components/page.tsx';
import { Empty, Held } from '../components/states.tsx';
import { Link } from '../router/link.tsx';
import { placeInDocs, usePlace } from '../router/router.ts';

/** The page right after the sign-up: the first key, and a first call with it. */
export function Welcome({ deployment }: { readonly deployment: Deployment }) {
  const { search } = usePlace();
  const made = unsavedKey.use()?.made;
  const held = heldBack.use();
  const docs = placeInDocs(search);
  if (!made) {
    return (
      <Page name="Welcome" title="Welcome">
        <div className="panel">
          <Empty title="Your first key was shown already" animal="parrot">
            <p>A key is shown once, when it is made. You can make another at any time.</p>
            <Link to="/keys" className="button button-primary">
              Go to keys
            </Link>
          </Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page
      name="Your first key"
      title="Your store is open"
      lead="Twelve pets are on the shelves and forty orders are in the book. This is the key to all of it."
    >
      <div className="panel max-w-3xl p-5 sm:p-7">
        <KeyReveal made={made} apiBase={deployment.apiBase} />
        <div className="mt-5">
          <FirstCall keyId={made.id} />
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {docs === undefined ? (
            <Link to="/" className="button button-primary" onClick={keySaved}>
              I have saved it, show me the store
            </Link>
          ) : (
            <a href={docs} className="button button-primary" onClick={keySaved}>
              I have saved it, back to the API reference
            </a>
          )}
          <a href="/docs" target="_blank" rel="noopener" className="button button-quiet">
            Read the API reference <Icon name="external" size={16} />
          </a>
        </div>
        <Held times={held}>{whyHeld}</Held>
      </div>
    </Page>
  );
}
