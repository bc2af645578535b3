import { useEffect, useRef } from 'react';
import { useLocation } from './router/router.ts';

/** Runs an action when its page is opened with the action's fragment, such as `/orders#place`, and removes the fragment. */
export function useFragmentAction(actions: Readonly<Record<string, () => void>>): void {
  const routerLocation = useLocation();
  const latest = useRef(actions);
  latest.current = actions;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation creates a new location, even to the same path.
  useEffect(() => {
    const action = latest.current[location.hash.slice(1)];
    if (!action) return;
    history.replaceState(null, '', location.pathname + location.search);
    action();
  }, [routerLocation]);
}
