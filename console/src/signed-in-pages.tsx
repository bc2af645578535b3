import type { Deployment, Session } from './api/console-api.ts';
import { basePath } from './base-path.ts';
import { Shell } from './components/shell.tsx';
import { AccountPage } from './pages/account.tsx';
import { KeyOfSession } from './pages/key-of-session.tsx';
import { Keys } from './pages/keys.tsx';
import { NotFound } from './pages/not-found.tsx';
import { OrderPage } from './pages/order.tsx';
import { Orders } from './pages/orders.tsx';
import { Overview } from './pages/overview.tsx';
import { Pets } from './pages/pets.tsx';
import { RequestPage } from './pages/request.tsx';
import { Requests } from './pages/requests.tsx';
import { Sandbox } from './pages/sandbox.tsx';
import { WebhookPage } from './pages/webhook.tsx';
import { Webhooks } from './pages/webhooks.tsx';
import { Welcome } from './pages/welcome.tsx';

type SignedInSession = Omit<Session, 'firstKey'>;

/** All pages that require a session. */
export default function SignedInPages({
  path,
  session,
}: {
  readonly path: string;
  readonly session: SignedInSession;
}) {
  const deployment = deploymentOf(session);
  return (
    <Shell session={session} deployment={deployment}>
      <Routes path={path} session={session} deployment={deployment} />
    </Shell>
  );
}

function deploymentOf({ deployment: name, deployments }: SignedInSession): Deployment {
  const origin = location.origin + basePath;
  return deployments.find((one) => one.name === name) ?? { name, origin, apiBase: `${origin}/v1` };
}

function Routes({
  path,
  session,
  deployment,
}: {
  readonly path: string;
  readonly session: SignedInSession;
  readonly deployment: Deployment;
}) {
  if (path === '/') return <Overview session={session} />;
  if (path === '/orders') return <Orders deployment={deployment} />;
  const order = /^\/orders\/(0|-?[1-9]\d{0,18})$/.exec(path);
  if (order?.[1]) return <OrderPage key={order[1]} id={BigInt(order[1])} deployment={deployment} />;
  if (path === '/pets') return <Pets />;
  if (path === '/keys')
    return session.key ? (
      <KeyOfSession sessionKey={session.key} deployment={deployment} />
    ) : (
      <Keys deployment={deployment} />
    );
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
