import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
  /** Keeps a line free for an error, so that one moves nothing. */
  readonly fallible?: boolean;
}

/** A labelled input, with a line below it for a hint or an error. */
export function Field({ label, hint, error, autofocus, fallible = false, ...input }: Props) {
  const id = useId();
  const line = fallible || hint !== undefined || error !== undefined;
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="label">
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={line ? `${id}-about` : undefined}
        {...(autofocus ? { 'data-autofocus': true } : {})}
      />
      {line && (
        <p
          id={`${id}-about`}
          className={`min-h-5 text-[0.8125rem] ${error ? 'font-semibold text-danger' : 'text-ink-soft'}`}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
