import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { Held } from './states.tsx';

/** A native modal dialog: the rest of the page is inert, Escape closes it, focus returns where it was. */
export function Dialog({
  title,
  children,
  onClose,
  stays,
  wide = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Why it cannot be closed without an answer, where it cannot. */
  readonly stays?: string;
  /** For what has long lines in it. */
  readonly wide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [held, hold] = useState(0);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const before = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const dismiss = () => (stays === undefined ? onClose() : hold((times) => times + 1));

  return (
    <dialog
      ref={dialog}
      className={wide ? 'sheet sheet-wide' : 'sheet'}
      aria-labelledby={heading}
      // A browser lets a second Escape through, whatever was said to the first, unless the key itself is taken.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        dismiss();
      }}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) dismiss();
      }}
    >
      <div className="p-6 sm:p-7">
        <header className="mb-4 flex items-start justify-between gap-4">
          <h2 id={heading} className="text-2xl">
            {title}
          </h2>
          {stays === undefined && (
            <button
              type="button"
              className="button button-quiet button-small -mt-1 -mr-2 !px-2"
              aria-label="Close"
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
        {stays !== undefined && <Held times={held}>{stays}</Held>}
      </div>
    </dialog>
  );
}
