import { lazy, Suspense, useEffect, useMemo } from 'react';
import { account } from '../api/console-api.ts';
import { explain } from '../api/explain.ts';
import { publicPath } from '../base-path.ts';
import type { NavItem } from '../components/navigation.tsx';
import { toast } from '../components/toast.tsx';
import { endSession } from '../end-session.ts';
import { toggleDensity } from '../theme/density.ts';
import { isStaging } from '../theme/show-deployment.ts';
import { chooseTheme } from '../theme/theme.ts';
import type { Command } from './commands.ts';
import { overlay } from './overlay.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { useOverlayKeys } from './use-overlay-keys.ts';

const load = () => import('./command-palette.tsx');
const CommandPalette = lazy(load);

const actions: readonly Command[] = [
  { id: 'place', title: 'Place order', icon: 'plus', to: '/orders#place' },
  { id: 'export', title: 'Export orders', icon: 'download', to: '/orders#export' },
  { id: 'add pet', title: 'Add pet', icon: 'plus', to: '/pets#add' },
  { id: 'create key', title: 'Create key', icon: 'keys', to: '/keys#create' },
  { id: 'add webhook', title: 'Add webhook', icon: 'webhooks', to: '/webhooks#add' },
  { id: 'light', title: 'Switch to light theme', icon: 'sun', run: () => chooseTheme('light') },
  { id: 'dark', title: 'Switch to dark theme', icon: 'moon', run: () => chooseTheme('dark') },
  { id: 'system', title: 'Switch to system theme', icon: 'system', run: () => chooseTheme('system') },
  { id: 'density', title: 'Toggle compact rows', icon: 'rows', run: toggleDensity },
  { id: 'keys', title: 'Keyboard shortcuts', icon: 'keyboard', run: () => overlay.set('shortcuts') },
  { id: 'sign out', title: 'Sign out', icon: 'signOut', run: () => void signOut() },
];
const stagingActions: readonly Command[] = [
  { id: 'recipes', title: 'Run a sandbox recipe', icon: 'sandbox', to: '/sandbox' },
];

async function signOut(): Promise<void> {
  try {
    await account.signOut();
    endSession();
  } catch (error) {
    toast(explain(error).title, 'warning');
  }
}

/** The command palette and the keyboard shortcuts, above any page. */
export function Overlays({
  navItems,
  isEnabled,
}: {
  readonly navItems: readonly NavItem[];
  /** False while a key or secret on the page would be lost by leaving it. */
  readonly isEnabled: boolean;
}) {
  useOverlayKeys(isEnabled);
  const open = overlay.use();
  useEffect(() => {
    // Preloaded, so that keys typed right after ⌘K are not lost. If loading fails, opening the palette reports it.
    load().catch(() => undefined);
  }, []);
  const pages = useMemo(
    (): readonly Command[] => [
      ...navItems.map(([to, title, icon]): Command => ({ id: to, title, icon, to })),
      { id: 'reference', title: 'API reference', icon: 'code', href: publicPath('/docs') },
      { id: 'guides', title: 'Guides', icon: 'guide', href: publicPath('/guides') },
    ],
    [navItems],
  );
  if (!isEnabled || open === undefined) return null;
  if (open === 'shortcuts') return <ShortcutsDialog />;
  return (
    <Suspense>
      <CommandPalette pages={pages} actions={isStaging() ? [...stagingActions, ...actions] : actions} />
    </Suspense>
  );
}
