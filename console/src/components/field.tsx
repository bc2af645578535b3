import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  /** Adds a button that shows the password. */
  readonly revealable?: boolean;
  /** Reserves a line for an error, to avoid layout shift. */
  readonly reserveErrorLine?: boolean;
}

/** A labelled input with a hint or an error. */
export function Field({
  label,
  hint,
  error,
  autofocus,
  revealable = false,
  reserveErrorLine = false,
  ...input
}: Props) {
  const id = useId();
  const [isVisible, setVisible] = useState(false);
  const hasLine = reserveErrorLine || hint !== undefined || error !== undefined;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="label">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          {...(isVisible && { type: 'text' })}
          id={id}
          className={revealable ? 'input !pr-18' : 'input'}
          aria-invalid={error !== undefined}
          aria-describedby={hasLine ? `${id}-about` : undefined}
          {...(autofocus ? { 'data-autofocus': true } : {})}
        />
        {revealable && (
          <button
            type="button"
            className="button button-quiet button-small -translate-y-1/2 absolute top-1/2 right-1.5"
            aria-pressed={isVisible}
            aria-label="Show characters"
            onClick={() => setVisible(!isVisible)}
          >
            {isVisible ? 'Hide' : 'Show'}
          </button>
        )}
      </div>
      {hasLine && (
        <p
          id={`${id}-about`}
          role={error ? 'alert' : undefined}
          className={`min-h-5 text-[0.8125rem] ${error ? 'font-semibold text-danger' : 'text-ink-soft'}`}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
