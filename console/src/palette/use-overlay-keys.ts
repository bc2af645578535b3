import { useEffect } from 'react';
import { isTyping } from '../use-row-keys.ts';
import { overlay } from './overlay.ts';

/** ⌘K or Ctrl+K opens and closes the command palette, ? shows the shortcuts; neither covers another dialog. */
export function useOverlayKeys(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return;
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isEnabled]);
}

function onKey(event: KeyboardEvent): void {
  const isPalette = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k';
  const isHelp = event.key === '?' && !isTyping();
  if (!isPalette && !isHelp) return;
  if (overlay.get() === undefined && document.querySelector('dialog[open]')) return;
  event.preventDefault();
  const requested = isPalette ? 'palette' : 'shortcuts';
  overlay.set(overlay.get() === requested ? undefined : requested);
}
