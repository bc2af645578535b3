import { lazy, Suspense, useEffect, useMemo } from 'react';
import { account } from '../api/console-api.ts';
import { explain } from '../api/explain.ts';
import { at } from '../base-path.ts';
import type { Place } from '../components/navigation.tsx';
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
  { id: 'light', title: 'Use the light theme', icon: 'sun', run: () => chooseTheme('light') },
  { id: 'dark', title: 'Use the dark theme', icon: 'moon', run: () => chooseTheme('dark') },
  { id: 'system', title: "Use the system's theme", icon: 'system', run: () => chooseTheme('system') },
  { id: 'density', title: 'Compact or comfortable rows', icon: 'rows', run: toggleDensity },
  { id: 'keys', title: 'Keyboard shortcuts', icon: 'keyboard', run: () => overlay.set('shortcuts') },
  { id: 'sign out', title: 'Sign out', icon: 'signOut', run: () => void signOut() },
];
const ofStaging: readonly Command[] = [
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
  places,
  isEnabled,
}: {
  readonly places: readonly Place[];
  /** False while a key or secret on the page would be lost by leaving it. */
  readonly isEnabled: boolean;
}) {
  useOverlayKeys(isEnabled);
  const open = overlay.use();
  useEffect(() => {
    // Loaded ahead: keys typed right after ⌘K must not get lost. A failure is reported when it is opened.
    load().catch(() => undefined);
  }, []);
  const pages = useMemo(
    (): readonly Command[] => [
      ...places.map(([to, title, icon]): Command => ({ id: to, title, icon, to })),
      { id: 'reference', title: 'API reference', icon: 'code', href: at('/docs') },
      { id: 'guides', title: 'Guides', icon: 'guide', href: at('/guides') },
    ],
    [places],
  );
  if (!isEnabled || open === undefined) return null;
  if (open === 'shortcuts') return <ShortcutsDialog />;
  return (
    <Suspense>
      <CommandPalette pages={pages} actions={isStaging() ? [...ofStaging, ...actions] : actions} />
    </Suspense>
  );
}
