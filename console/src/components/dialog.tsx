import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './icon.tsx';

/** A native modal dialog: the rest of the page is inert, Escape closes it, focus returns where it was. */
export function Dialog({
  title,
  children,
  onClose,
  closable = true,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** Whether it can be closed without an answer. */
  readonly closable?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
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

  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
      onPointerDown={(event) => {
        if (closable && event.target === dialog.current) onClose();
      }}
    >
      <div className="p-6 sm:p-7">
        <header className="mb-4 flex items-start justify-between gap-4">
          <h2 id={heading} className="text-2xl">
            {title}
          </h2>
          {closable && (
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
      </div>
    </dialog>
  );
}
