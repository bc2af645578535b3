import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
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
  const pressedBeside = useRef(false);
  const dismiss = () => (stays === undefined ? onClose() : hold((times) => times + 1));

  return (
    <dialog
      ref={dialog}
      className={wide ? 'sheet sheet-wide' : 'sheet'}
      aria-labelledby={heading}
      // A browser lets a second Escape through, whatever was said to the first, unless the key itself is taken;
      // where the focus is on nothing the key is not seen here, and what stays is opened again.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        dismiss();
      }}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onClose={() => {
        if (dialog.current?.open) return;
        if (stays !== undefined) dialog.current?.showModal();
        dismiss();
      }}
      // A press that began in the dialog, such as one that selects text, may end beside it.
      onPointerDown={(event) => {
        pressedBeside.current = isBeside(event);
      }}
      onClick={(event) => {
        if (pressedBeside.current && isBeside(event)) dismiss();
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

/** Whether something was pressed on the backdrop: its own scrollbar and border are the dialog too. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const isOver = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !isOver;
}
