import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { account, keyPrefixes, type Session } from '../api/console-api.ts';
import { deploymentsQuery } from '../api/deployments.ts';
import { explain } from '../api/explain.ts';
import { isRefusal } from '../api/http.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { forgetKey } from '../api/token.ts';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { SignedOutFrame } from '../components/signed-out-frame.tsx';
import { Refusal } from '../components/states.tsx';
import { Link } from '../router/link.tsx';
import { navigate } from '../router/router.ts';

/** The key that the link brought behind its #, where no request takes it along; it leaves the address at once. */
function takeKey(): string {
  const key = /\/open\/?$/.test(location.pathname) ? location.hash.slice(1) : '';
  if (key !== '') history.replaceState(null, '', location.pathname + location.search);
  return key;
}

/** It is spent once it was shown: whoever comes back to this page brings no link. */
let linked = takeKey();
const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

async function enter(key: string): Promise<void> {
  await account.openWithKey(key.trim());
  sessionEnded.set(false);
  forgetKey();
  queryClient.clear();
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  navigate('/', { replace: true });
}

/**
 * A store that was opened on the command line, or the one for demonstration. A link opens it by itself only on this
 * machine and where nobody is signed in: elsewhere it might be somebody else's, sent to have their store taken for one's own.
 */
export function OpenWithKey({ session }: { readonly session: Omit<Session, 'firstKey'> | null }) {
  const [key, setKey] = useState(linked);
  const open = useMutation({ mutationFn: enter });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link opens once.
  useEffect(() => {
    const follow = (link: string) => {
      if (link !== '' && isLoopback && session === null) open.mutate(link);
    };
    follow(linked);
    linked = '';
    const takeAnother = () => {
      const another = takeKey();
      setKey(another);
      follow(another);
    };
    window.addEventListener('hashchange', takeAnother);
    return () => window.removeEventListener('hashchange', takeAnother);
  }, []);
  const wrong = isRefusal(open.error) && open.error.code === 'invalid_api_key';
  const [here, ...others] = useQuery(deploymentsQuery).data ?? [];
  const elsewhere = others.find(({ name }) => key.trim().startsWith(keyPrefixes[name]));
  const who = session?.email ?? (session?.key ? `key …${session.key.lastFour}` : undefined);
  return (
    <SignedOutFrame>
      <Page
        name="Open with a key"
        title="Open a store with its key"
        lead="For stores without an account, such as those made on the command line. The key opens its store here, and nothing else."
      >
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            open.mutate(key);
          }}
        >
          {who !== undefined && (
            <p className="text-ink-soft [overflow-wrap:anywhere]">
              You are signed in as {who}; this ends that session.
            </p>
          )}
          <Field
            label="API key"
            type="password"
            autoComplete="off"
            autofocus
            required
            maxLength={1000}
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
          {elsewhere && (
            <p role="status" className="rounded-2xl bg-pending-soft p-3.5 text-sm">
              This is a key of {elsewhere.name}, and here is {here?.name}: each has stores of its own.{' '}
              <a href={`${elsewhere.origin}/console/open#${key.trim()}`} className="link">
                Open it on {elsewhere.name}
              </a>
            </p>
          )}
          {open.error && !elsewhere && (
            <Refusal
              explanation={
                wrong
                  ? {
                      title: 'This key opens nothing here',
                      text: 'It is mistyped, was revoked or has expired.',
                    }
                  : explain(open.error)
              }
            />
          )}
          <button
            type="submit"
            className="button button-primary mt-1 min-h-12 text-base"
            disabled={open.isPending || elsewhere !== undefined}
          >
            {open.isPending ? 'One moment…' : 'Open the store'}
          </button>
        </form>
        <p className="mt-6 text-ink-soft">
          Have an account?{' '}
          <Link to="/sign-in" className="link">
            Sign in
          </Link>
        </p>
      </Page>
    </SignedOutFrame>
  );
}
