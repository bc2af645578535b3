import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { account, keyPrefixes, type Session } from '../api/console-api.ts';
import { deploymentsQuery } from '../api/deployments.ts';
import { explain } from '../api/explain.ts';
import { isApiError } from '../api/http.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { forgetKey } from '../api/token.ts';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { SignedOutFrame } from '../components/signed-out-frame.tsx';
import { ApiError } from '../components/states.tsx';
import { Link } from '../router/link.tsx';
import { navigate } from '../router/router.ts';

/** Takes the key from the URL fragment, which browsers never send to a server, and removes it from the address. */
function takeKey(): string {
  const key = /\/open\/?$/.test(location.pathname) ? location.hash.slice(1) : '';
  if (key !== '') history.replaceState(null, '', location.pathname + location.search);
  return key;
}

/** The key from the link; cleared after first use, so that coming back to this page does not sign in again. */
let linkedKey = takeKey();
const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

async function signInWithKey(key: string): Promise<void> {
  await account.openWithKey(key.trim());
  sessionEnded.set(false);
  forgetKey();
  queryClient.clear();
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  navigate('/', { replace: true });
}

/**
 * Signs in with an API key. A link with a key signs in without confirmation only on loopback and while signed out:
 * anywhere else it could be a login-CSRF link into an attacker's store.
 */
export function OpenWithKey({ session }: { readonly session: Omit<Session, 'firstKey'> | null }) {
  const [key, setKey] = useState(linkedKey);
  const open = useMutation({ mutationFn: signInWithKey });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link opens once.
  useEffect(() => {
    const follow = (link: string) => {
      if (link !== '' && isLoopback && session === null) open.mutate(link);
    };
    follow(linkedKey);
    linkedKey = '';
    const takeAnother = () => {
      const another = takeKey();
      setKey(another);
      follow(another);
    };
    window.addEventListener('hashchange', takeAnother);
    return () => window.removeEventListener('hashchange', takeAnother);
  }, []);
  const isInvalidKey = isApiError(open.error) && open.error.code === 'invalid_api_key';
  const [currentDeployment, ...others] = useQuery(deploymentsQuery).data ?? [];
  const otherDeployment = others.find(({ name }) => key.trim().startsWith(keyPrefixes[name]));
  const identity = session?.email ?? (session?.key ? `API key …${session.key.lastFour}` : undefined);
  return (
    <SignedOutFrame>
      <Page
        name="Sign in with a key"
        title="Sign in with an API key"
        lead="For stores without an account, such as those created on the command line. You can manage the store, but not its keys."
      >
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            open.mutate(key);
          }}
        >
          {identity !== undefined && (
            <p className="text-ink-soft [overflow-wrap:anywhere]">
              You are signed in as {identity}. Signing in with a key ends that session.
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
          {otherDeployment && (
            <p role="status" className="rounded-2xl bg-pending-soft p-3.5 text-sm">
              This is a {otherDeployment.name} key, but you are on {currentDeployment?.name}.{' '}
              <a href={`${otherDeployment.origin}/console/open#${key.trim()}`} className="link">
                Sign in on {otherDeployment.name}
              </a>
            </p>
          )}
          {open.error && !otherDeployment && (
            <ApiError
              explanation={
                isInvalidKey
                  ? {
                      title: "This key doesn't work",
                      text: 'Check it for typos. It may also have expired or been revoked.',
                    }
                  : explain(open.error)
              }
            />
          )}
          <button
            type="submit"
            className="button button-primary mt-1 min-h-12 text-base"
            disabled={open.isPending || otherDeployment !== undefined}
          >
            {open.isPending ? 'Please wait…' : 'Sign in'}
          </button>
        </form>
        <p className="mt-6 text-ink-soft">
          Have an email and password?{' '}
          <Link to="/sign-in" className="link">
            Sign in
          </Link>
        </p>
      </Page>
    </SignedOutFrame>
  );
}
