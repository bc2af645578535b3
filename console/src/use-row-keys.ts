import { useEffect } from 'react';

const ROW = 'tbody tr';

/** Keyboard shortcuts for a page's table: j and k focus the next and previous row's link, x toggles its checkbox, Enter follows the link. */
export function useRowKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  const { key, metaKey, ctrlKey, altKey } = event;
  if (metaKey || ctrlKey || altKey || isTyping() || document.querySelector('dialog[open]')) return;
  const rows = [...document.querySelectorAll<HTMLElement>(ROW)];
  const current = document.activeElement?.closest<HTMLElement>(ROW);
  if (key === 'x') current?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  if (key !== 'j' && key !== 'k') return;
  const at = current ? rows.indexOf(current) + (key === 'j' ? 1 : -1) : 0;
  rows[at]?.querySelector<HTMLElement>('th a')?.focus();
}

/** Whether keys go into a field. */
export function isTyping(): boolean {
  return (
    document.activeElement?.matches('input:not([type="checkbox"], [type="radio"]), textarea, select') ?? false
  );
}
