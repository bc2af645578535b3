import type { ReactNode } from 'react';
import { type Explanation, explainAction } from '../api/explain.ts';
import { ApiError } from './states.tsx';

interface Mutation {
  readonly mutate: (variables: undefined, options?: { readonly onSuccess: () => void }) => void;
  readonly isPending: boolean;
  readonly error: unknown;
}

/**
 * Form props that run a mutation and explain its error. `onDone` closes the dialog; React Query skips it once the dialog
 * is unmounted, so that a late response can't close another dialog.
 */
export function submitProps(
  { mutate, isPending, error }: Mutation,
  onDone: () => void = () => {},
  explainError: (error: unknown) => Explanation = explainAction,
) {
  return {
    onSubmit: () => mutate(undefined, { onSuccess: onDone }),
    pending: isPending,
    rejection: error ? explainError(error) : undefined,
  };
}

/** A dialog's form: fields, error and buttons. */
export function DialogForm({
  submitLabel,
  onSubmit,
  pending,
  danger = false,
  cancelLabel = 'Cancel',
  onCancel,
  rejection,
  children,
}: {
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly pending: boolean;
  /** Whether the action can't be undone. */
  readonly danger?: boolean;
  readonly cancelLabel?: string;
  readonly onCancel: () => void;
  readonly rejection?: Explanation | undefined;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {rejection && <ApiError explanation={rejection} />}
      <div className="mt-1 flex flex-wrap justify-end gap-2">
        <button type="button" className="button" onClick={onCancel}>
          {cancelLabel}
        </button>
        <button
          type="submit"
          className={`button ${danger ? 'button-danger' : 'button-primary'}`}
          disabled={pending}
        >
          {submitLabel}
        </button>
      </div>
    </form>
  );
}
