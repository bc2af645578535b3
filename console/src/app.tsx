import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { continueAfterSignIn } from './after-sign-in.ts';
import { sessionQuery } from './api/queries.ts';
import { isUnsaved, unsavedKey } from './api/unsaved-key.ts';
import { Failure } from './components/states.tsx';
import { OpenWithKey } from './pages/open-with-key.tsx';
import { SignIn, SignUp } from './pages/sign-in.tsx';
import { isReturningVisitor } from './returning-visitor.ts';
import { navigate, useLocation } from './router/router.ts';
import { showDeployment } from './theme/show-deployment.ts';

/** The signed-in pages load in a separate chunk, so that the sign-in form renders first. */
const signedInPages = import('./signed-in-pages.tsx');
const SignedInPages = lazy(() => signedInPages);

export function App() {
  const session = useQuery(sessionQuery);
  const location = useLocation();
  const unsaved = unsavedKey.use();
  const isFirstKeyUnsaved = unsaved?.isFirst === true && isUnsaved(unsaved);
  const isOpeningKey = location.path === '/open';
  const isPublicPage = isOpeningKey || location.path === '/sign-in' || location.path === '/sign-up';
  const deployment = session.data?.deployment;

  useEffect(() => {
    if (deployment) showDeployment(deployment);
  }, [deployment]);

  useEffect(() => {
    if (session.data === null && !isPublicPage) {
      const next =
        location.path === '/'
          ? ''
          : `?next=${encodeURIComponent(location.path + (location.search ? `?${location.search}` : ''))}`;
      navigate(`${isReturningVisitor() ? '/sign-in' : '/sign-up'}${next}`, { replace: true });
    }
    if (session.data && isPublicPage && !isOpeningKey) continueAfterSignIn(location.search);
    else if (isFirstKeyUnsaved && session.data && !isOpeningKey && location.path !== '/welcome')
      navigate('/welcome', { replace: true });
  }, [session.data, isPublicPage, isOpeningKey, location, isFirstKeyUnsaved]);

  // Keep showing a form: submitting it reports the error.
  if (session.isError && session.data === undefined && (isOpeningKey || !isPublicPage)) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <Failure error={session.error} retry={() => session.refetch()} />
      </main>
    );
  }
  if (session.isPending && (isOpeningKey || !isPublicPage)) return <Waiting />;
  if (isOpeningKey) return <OpenWithKey session={session.data ?? null} />;
  if (!session.data) {
    if (!isPublicPage) return <Waiting />;
    return location.path === '/sign-in' ? <SignIn key="in" /> : <SignUp key="up" />;
  }
  return (
    <Suspense fallback={<Waiting />}>
      <SignedInPages path={location.path} session={session.data} />
    </Suspense>
  );
}

/** Matches the static HTML shown before the script loads. */
function Waiting() {
  return (
    <main className="min-h-dvh" aria-busy="true">
      <div className="h-9 bg-band" />
      <h1 className="p-6 text-xl">Pet Store Service</h1>
      <p className="late px-6 text-ink-soft">Loading…</p>
    </main>
  );
}
