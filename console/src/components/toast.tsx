import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

let message: { text: string; at: number } | undefined;
const listeners = new Set<() => void>();

/** Says briefly that something was done. */
export function toast(text: string): void {
  message = { text, at: Date.now() };
  for (const listener of listeners) listener();
}

function clear(): void {
  message = undefined;
  for (const listener of listeners) listener();
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(clear, 5_000);
    return () => clearTimeout(timer);
  }, [shown]);

  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-40 flex justify-center px-4 lg:bottom-6"
    >
      {shown && (
        <p
          key={shown.at}
          className="flex animate-[rise_180ms_ease-out] items-center gap-2 rounded-full bg-ink py-2.5 pr-5 pl-4 font-semibold text-[0.9375rem] text-ground shadow-lg"
        >
          <Icon name="check" size={18} />
          {shown.text}
        </p>
      )}
    </div>
  );
}
