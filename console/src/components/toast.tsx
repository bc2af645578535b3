import { useEffect } from 'react';
import { sharedValue } from '../shared-value.ts';
import { Icon } from './icon.tsx';

const message = sharedValue<{ text: string; icon: 'check' | 'warning'; at: number } | undefined>(undefined);

/** Shows a short notification. */
export function toast(text: string, icon: 'check' | 'warning' = 'check'): void {
  message.set({ text, icon, at: Date.now() });
}

export function Toasts() {
  const shown = message.use();
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => message.set(undefined), 5_000);
    return () => clearTimeout(timer);
  }, [shown]);

  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-36 z-40 flex justify-center px-4 lg:bottom-22"
    >
      {shown && (
        <p
          key={shown.at}
          className="flex animate-[rise_180ms_ease-out] items-center gap-2 rounded-full bg-ink py-2.5 pr-5 pl-4 font-semibold text-[0.9375rem] text-ground shadow-lg"
        >
          <Icon name={shown.icon} size={18} />
          {shown.text}
        </p>
      )}
    </div>
  );
}
