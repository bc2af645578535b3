import { type MouseEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { ExitBlocked } from './states.tsx';

/** A native modal dialog: the page behind is inert, Escape closes it, and focus returns to where it was. */
export function Dialog({
  title,
  children,
  onClose,
  blockedReason,
  wide = false,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /** If set, the dialog can't be dismissed, and this says why. */
  readonly blockedReason?: string;
  /** For long lines. */
  readonly wide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [attempts, setAttempts] = useState(0);
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
  const pressedOutside = useRef(false);
  const dismiss = () => (blockedReason === undefined ? onClose() : setAttempts((times) => times + 1));

  return (
    <dialog
      ref={dialog}
      className={wide ? 'sheet sheet-wide' : 'sheet'}
      aria-labelledby={heading}
      // Browsers close a dialog on the second Escape even if `cancel` was prevented, so keydown is handled too.
      // Without focus there is no keydown here: `onClose` reopens a dialog that must stay.
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
        if (blockedReason !== undefined) dialog.current?.showModal();
        dismiss();
      }}
      // A press that starts inside, such as selecting text, may end outside.
      onPointerDown={(event) => {
        pressedOutside.current = isOutside(event);
      }}
      onClick={(event) => {
        if (pressedOutside.current && isOutside(event)) dismiss();
      }}
    >
      <div className="p-6 sm:p-7">
        <header className="mb-4 flex items-start justify-between gap-4">
          <h2 id={heading} className="text-2xl">
            {title}
          </h2>
          {blockedReason === undefined && (
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
        {blockedReason !== undefined && <ExitBlocked times={attempts}>{blockedReason}</ExitBlocked>}
      </div>
    </dialog>
  );
}

/** Whether the backdrop was pressed, as opposed to the dialog's scrollbar or border. */
function isOutside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !isInside;
}
