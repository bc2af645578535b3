import { useMutation, useQuery } from '@tanstack/react-query';
import { account, type Deployment } from '../api/console-api.ts';
import { explain } from '../api/explain.ts';
import { keysQuery, refreshKeys } from '../api/queries.ts';
import { blockedExits, clearUnsavedKey, SAVE_KEY_FIRST, unsavedKey } from '../api/unsaved-key.ts';
import { publicPath } from '../base-path.ts';
import { FirstCall } from '../components/first-call.tsx';
import { Icon } from '../components/icon.tsx';
import { KeyReveal } from '../components/key-reveal.tsx';
import { Page } from '../components/page.tsx';
import { ApiError, Empty, ExitBlocked } from '../components/states.tsx';
import { Link } from '../router/link.tsx';
import { docsReturnPath, useLocation } from '../router/router.ts';

/** Shown after sign-up: the first key and how to use it. */
export function Welcome({ deployment }: { readonly deployment: Deployment }) {
  const { search } = useLocation();
  const created = unsavedKey.use()?.created;
  const attempts = blockedExits.use();
  const docs = docsReturnPath(search);
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
            <Link to="/" className="button button-primary" onClick={clearUnsavedKey}>
              I've saved it, go to my store
            </Link>
          ) : (
            <a href={docs} className="button button-primary" onClick={clearUnsavedKey}>
              I've saved it, back to the API reference
            </a>
          )}
          <a href={publicPath('/docs')} target="_blank" rel="noopener" className="button button-quiet">
            Read the API reference <Icon name="external" size={16} />
          </a>
        </div>
        <ExitBlocked times={attempts}>{SAVE_KEY_FIRST}</ExitBlocked>
      </div>
    </Page>
  );
}

/** Shown when the first key is no longer available. Offers another key if none was used yet. */
function WithoutKey() {
  const keys = useQuery(keysQuery);
  const isUnused = keys.data?.every(({ lastUsedAt }) => lastUsedAt === null) ?? false;
  const create = useMutation({
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
            {create.error ? <ApiError explanation={explain(create.error)} /> : null}
            <p className="flex flex-wrap justify-center gap-3">
              {isUnused && (
                <button
                  type="button"
                  className="button button-primary"
                  onClick={() => create.mutate()}
                  disabled={create.isPending}
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
