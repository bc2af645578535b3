import { type ReactNode, useEffect } from 'react';
import type { Deployment, Session } from '../api/console-api.ts';
import { sessionEnded } from '../api/session-ended.ts';
import { blockExitWithUnsavedKey, isUnsaved, unsavedKey } from '../api/unsaved-key.ts';
import { unsavedSecret } from '../api/unsaved-secret.ts';
import { useWatchStore } from '../api/watch-store.ts';
import { overlay, paletteKeys } from '../palette/overlay.ts';
import { Overlays } from '../palette/overlays.tsx';
import { Link } from '../router/link.tsx';
import { ArmedChip } from './armed-chip.tsx';
import { Band } from './band.tsx';
import { DensitySwitch } from './density-switch.tsx';
import { Icon } from './icon.tsx';
import { Logo } from './logo.tsx';
import { type NavItem, NavLink, PhoneNavigation, Resources } from './navigation.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { SessionExpired } from './session-expired.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { Toasts } from './toast.tsx';
import { SecretDialog } from './webhook-dialogs.tsx';

const navItems: readonly NavItem[] = [
  ['/', 'Overview', 'overview'],
  ['/orders', 'Orders', 'orders'],
  ['/pets', 'Pets', 'pets'],
  ['/keys', 'Keys', 'keys'],
  ['/webhooks', 'Webhooks', 'webhooks'],
  ['/requests', 'Requests', 'requests'],
  ['/account', 'Account', 'account'],
];
const sandbox: NavItem = ['/sandbox', 'Sandbox', 'sandbox'];

/** Only staging has a sandbox. */
const stagingNavItems: readonly NavItem[] = [...navItems.slice(0, -1), sandbox, ...navItems.slice(-1)];
const navItemsOf = ({ deployment }: Omit<Session, 'firstKey'>) =>
  deployment === 'staging' ? stagingNavItems : navItems;

const nameOf = ({ email, key }: Omit<Session, 'firstKey'>) => email ?? `API key …${key?.lastFour}`;

/** Layout of all signed-in pages: the environment bar, the navigation and the page. */
export function Shell({
  session,
  deployment,
  children,
}: {
  readonly session: Omit<Session, 'firstKey'>;
  readonly deployment: Deployment;
  readonly children: ReactNode;
}) {
  useWatchStore();
  const ended = sessionEnded.use();
  const unsaved = unsavedKey.use();
  const secret = unsavedSecret.use();
  const hasUnsaved = isUnsaved(unsaved) || secret !== undefined;
  useBlockExit(hasUnsaved);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="button button-primary fixed top-1 left-2 z-50 not-focus:sr-only">
        Skip to content
      </a>
      <header className="sticky top-0 z-30">
        <Band deployment={session.deployment} plantedBug={session.wrongOnPurpose} live={!ended}>
          {session.key?.scope === 'read' && <p className="whitespace-nowrap font-semibold">Read-only key</p>}
          {session.deployment === 'staging' && !ended && <ArmedChip />}
          <button
            type="button"
            className="-my-1 ml-auto grid size-8 place-items-center lg:hidden"
            aria-label="Command palette"
            onClick={() => overlay.set('palette')}
          >
            <Icon name="search" size={18} />
          </button>
        </Band>
      </header>
      <div className="mx-auto flex w-full max-w-[84rem] flex-1">
        <aside
          aria-label="Sidebar"
          className="sticky top-9 hidden h-[calc(100dvh-2.25rem)] w-60 flex-none flex-col px-4 py-6 lg:flex"
        >
          <Link
            to="/"
            onClick={blockExitWithUnsavedKey}
            className="mb-5 flex items-center gap-2.5 px-3 font-bold font-display text-xl tracking-tight"
          >
            <Logo /> Pet Store
          </Link>
          <button
            type="button"
            className="mb-5 flex h-10 items-center gap-2.5 rounded-xl border border-line bg-surface px-3 text-ink-soft text-sm hover:border-line-strong"
            aria-keyshortcuts="Meta+K Control+K"
            onClick={() => overlay.set('palette')}
          >
            <Icon name="search" size={16} />
            <span className="flex-1 text-left">Search…</span>
            <kbd>{paletteKeys}</kbd>
          </button>
          <nav aria-label="Console" className="grid gap-1">
            {navItemsOf(session).map((item) => (
              <NavLink key={item[0]} item={item} className="gap-3 rounded-xl px-3 py-2.5 text-[0.9375rem]" />
            ))}
          </nav>
          <footer className="mt-auto grid gap-4 px-3">
            <Resources className="gap-1.5" />
            <div className="flex items-center gap-2">
              <ThemeSwitch />
              <DensitySwitch />
            </div>
            <p className="truncate text-ink-soft text-sm" title={nameOf(session)}>
              {nameOf(session)}
            </p>
          </footer>
        </aside>
        <main id="main" className="min-w-0 flex-1 px-4 pt-6 pb-28 sm:px-6 lg:px-10 lg:pt-10 lg:pb-16">
          {children}
        </main>
      </div>
      <PhoneNavigation items={navItemsOf(session)} />
      <Toasts />
      <Overlays navItems={navItemsOf(session)} isEnabled={!hasUnsaved && !ended} />
      {unsaved?.isFirst === false && <NewKeyDialog created={unsaved.created} apiBase={deployment.apiBase} />}
      {secret && <SecretDialog {...secret} />}
      {ended && <SessionExpired email={session.email} />}
    </div>
  );
}

/** Lets the browser ask before the page is closed or reloaded. */
function useBlockExit(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', prevent);
    return () => window.removeEventListener('beforeunload', prevent);
  }, [isUnsaved]);
}
