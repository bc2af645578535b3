import { isWrongCredentials } from '../api/console-api.ts';
import { explainAction } from '../api/explain.ts';
import { Field } from './field.tsx';

/** A field for the current password, with the error of the last attempt. */
export function CurrentPassword({
  label,
  value,
  onChange,
  error,
  autofocus = false,
  reserveErrorLine = true,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: unknown;
  readonly autofocus?: boolean;
  readonly reserveErrorLine?: boolean;
}) {
  return (
    <Field
      label={label}
      type="password"
      autoComplete="current-password"
      required
      autofocus={autofocus}
      reserveErrorLine={reserveErrorLine}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={
        error ? (isWrongCredentials(error) ? 'Incorrect password.' : explainAction(error).text) : undefined
      }
    />
  );
}
