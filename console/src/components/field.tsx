import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly autofocus?: boolean;
}

/** A labelled input. The line below it is always there, so that an error moves nothing. */
export function Field({ label, hint, error, autofocus, ...input }: Props) {
  const id = useId();
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
        aria-describedby={`${id}-about`}
        {...(autofocus ? { 'data-autofocus': true } : {})}
      />
      <p id={`${id}-about`} className={`min-h-5 text-[0.8125rem] ${error ? 'font-semibold text-danger' : 'text-ink-soft'}`}>
        {error ?? hint}
      </p>
    </div>
  );
}
