import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Deployment, Session } from './api/console-api.ts';
import { sessionQuery } from './api/queries.ts';
import { isHeld, unsavedKey } from './api/unsaved-key.ts';
import { wasHere } from './been-here.ts';
import { Shell } from './components/shell.tsx';
import { Failure } from './components/states.tsx';
import { goOn } from './go-on.ts';
import { AccountPage } from './pages/account.tsx';
import { Keys } from './pages/keys.tsx';
import { NotFound } from './pages/not-found.tsx';
import { OpenWithKey } from './pages/open-with-key.tsx';
import { OrderPage } from './pages/order.tsx';
import { Orders } from './pages/orders.tsx';
import { Overview } from './pages/overview.tsx';
import { Pets } from './pages/pets.tsx';
import { RequestPage } from './pages/request.tsx';
import { Requests } from './pages/requests.tsx';
import { Sandbox } from './pages/sandbox.tsx';
import { SignIn, SignUp } from './pages/sign-in.tsx';
import { WebhookPage } from './pages/webhook.tsx';
import { Webhooks } from './pages/webhooks.tsx';
import { Welcome } from './pages/welcome.tsx';
import { navigate, usePlace } from './router/router.ts';
import { showDeployment } from './theme/show-deployment.ts';

export function App() {
  const session = useQuery(sessionQuery);
  const place = usePlace();
  const unsaved = unsavedKey.use();
  const isFirstKeyUnsaved = unsaved?.isFirst === true && isHeld(unsaved);
  const opening = place.path === '/open';
  const outside = opening || place.path === '/sign-in' || place.path === '/sign-up';
  const deployment = session.data?.deployment;

  useEffect(() => {
    if (deployment) showDeployment(deployment);
  }, [deployment]);

  useEffect(() => {
    if (session.data === null && !outside) {
      const next =
        place.path === '/'
          ? ''
          : `?next=${encodeURIComponent(place.path + (place.search ? `?${place.search}` : ''))}`;
      navigate(`${wasHere() ? '/sign-in' : '/sign-up'}${next}`, { replace: true });
    }
    if (session.data && outside && !opening) goOn(place.search);
    else if (isFirstKeyUnsaved && session.data && !opening && place.path !== '/welcome')
      navigate('/welcome', { replace: true });
  }, [session.data, outside, opening, place, isFirstKeyUnsaved]);

  if (session.isError) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <Failure error={session.error} retry={() => session.refetch()} />
      </main>
    );
  }
  if (session.isPending) return <Waiting />;
  if (opening) return <OpenWithKey session={session.data} />;
  if (session.data === null) {
    if (!outside) return <Waiting />;
    return place.path === '/sign-in' ? <SignIn key="in" /> : <SignUp key="up" />;
  }
  return (
    <Shell session={session.data} deployment={deploymentOf(session.data)}>
      <Routes path={place.path} session={session.data} />
    </Shell>
  );
}

/** Shows the colours of the page and nothing else: what it waits for is a moment away. */
function Waiting() {
  return (
    <main className="min-h-dvh" aria-busy="true">
      <h1 className="sr-only">Pet Store</h1>
      <div className="h-9 bg-band" />
    </main>
  );
}

function deploymentOf({ deployment: name, deployments }: Omit<Session, 'firstKey'>): Deployment {
  const { origin } = location;
  return deployments.find((one) => one.name === name) ?? { name, origin, apiBase: `${origin}/v1` };
}

function Routes({ path, session }: { readonly path: string; readonly session: Omit<Session, 'firstKey'> }) {
  const deployment = deploymentOf(session);
  if (path === '/') return <Overview session={session} />;
  if (path === '/orders') return <Orders deployment={deployment} />;
  const order = /^\/orders\/(-?\d{1,19})$/.exec(path);
  if (order?.[1]) return <OrderPage key={order[1]} id={BigInt(order[1])} deployment={deployment} />;
  if (path === '/pets') return <Pets />;
  if (path === '/keys') return <Keys deployment={deployment} />;
  if (path === '/webhooks') return <Webhooks />;
  const webhook = /^\/webhooks\/(wh_\w+)$/.exec(path);
  if (webhook?.[1]) return <WebhookPage key={webhook[1]} id={webhook[1]} />;
  if (path === '/requests') return <Requests />;
  const request = /^\/requests\/(\d{1,19})$/.exec(path);
  if (request?.[1]) return <RequestPage id={request[1]} deployment={deployment} />;
  if (path === '/sandbox' && session.deployment === 'staging') return <Sandbox deployment={deployment} />;
  if (path === '/account') return <AccountPage session={session} />;
  if (path === '/welcome') return <Welcome deployment={deployment} />;
  return <NotFound />;
}
