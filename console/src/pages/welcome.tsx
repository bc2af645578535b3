import { useMutation, useQuery } from '@tanstack/react-query';
import { account, type Deployment } from '../api/console-api.ts';
import { explain } from '../api/explain.ts';
import { keysQuery, refreshKeys } from '../api/queries.ts';
import { blockedExits, keySaved, SAVE_KEY_FIRST, unsavedKey } from '../api/unsaved-key.ts';
import { at } from '../base-path.ts';
import { FirstCall } from '../components/first-call.tsx';
import { Icon } from '../components/icon.tsx';
import { KeyReveal } from '../components/key-reveal.tsx';
import { Page } from '../components/page.tsx';
import { ApiError, Empty, ExitBlocked } from '../components/states.tsx';
import { Link } from '../router/link.tsx';
import { placeInDocs, usePlace } from '../router/router.ts';

/** Shown after sign-up: the first key and how to use it. */
export function Welcome({ deployment }: { readonly deployment: Deployment }) {
  const { search } = usePlace();
  const created = unsavedKey.use()?.created;
  const attempts = blockedExits.use();
  const docs = placeInDocs(search);
  if (!created) return <WithoutKey />;
  return (
    <Page
      name="Your first key"
      title="Your store is ready"
      lead="It has 12 pets and 40 orders. Use this API key to access them."
    >
      <div className="panel max-w-3xl p-5 sm:p-7">
        <KeyReveal created={created} apiBase={deployment.apiBase} />
        <div className="mt-5">
          <FirstCall keyId={created.id} />
        </div>
        <div className="mt-6 flex flex-wrap items-center gap-3">
          {docs === undefined ? (
            <Link to="/" className="button button-primary" onClick={keySaved}>
              I've saved it, go to my store
            </Link>
          ) : (
            <a href={docs} className="button button-primary" onClick={keySaved}>
              I've saved it, back to the API reference
            </a>
          )}
          <a href={at('/docs')} target="_blank" rel="noopener" className="button button-quiet">
            Read the API reference <Icon name="external" size={16} />
          </a>
        </div>
        <ExitBlocked times={attempts}>{SAVE_KEY_FIRST}</ExitBlocked>
      </div>
    </Page>
  );
}

/** The first key is shown once; offers another if it was never used. */
function WithoutKey() {
  const keys = useQuery(keysQuery);
  const isUnused = keys.data?.every(({ lastUsedAt }) => lastUsedAt === null) ?? false;
  const make = useMutation({
    mutationFn: () => account.createKey({ name: 'second key', scope: 'full', expiresAt: null }),
    onSuccess: (created) => {
      unsavedKey.set({ created, isFirst: true });
      void refreshKeys();
    },
  });
  return (
    <Page name="Welcome" title="Welcome">
      {!keys.isPending && (
        <div className="panel">
          <Empty
            title={isUnused ? "Your first key hasn't been used yet" : 'Your first key was already shown'}
            animal="parrot"
          >
            <p>
              A key is shown only once, when it is created.{' '}
              {isUnused ? "If you didn't see yours, create another." : 'You can create another at any time.'}
            </p>
            {make.error ? <ApiError explanation={explain(make.error)} /> : null}
            <p className="flex flex-wrap justify-center gap-3">
              {isUnused && (
                <button
                  type="button"
                  className="button button-primary"
                  onClick={() => make.mutate()}
                  disabled={make.isPending}
                >
                  Create another key
                </button>
              )}
              <Link to="/keys" className={`button ${isUnused ? '' : 'button-primary'}`}>
                Go to keys
              </Link>
            </p>
          </Empty>
        </div>
      )}
    </Page>
  );
}
