import { useMutation, useQuery } from '@tanstack/react-query';
import type { ResetInput } from '../../../client/src/index.ts';
import { slowClient } from '../api/client.ts';
import { refreshStore, storeQueries } from '../api/queries.ts';
import { plural } from '../format.ts';
import { totalOf } from '../ship-buckets.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submitProps } from './dialog-form.tsx';
import { toast } from './toast.tsx';

/** Confirms a reset and says what it deletes. */
export function ConfirmReset({
  input,
  onReset,
  onClose,
}: {
  readonly input: ResetInput;
  readonly onReset?: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const summary = useQuery(storeQueries.summary()).data;
  const reset = useMutation({
    mutationFn: () => slowClient.sandbox.reset(input),
    onSuccess: async (created) => {
      await onReset?.();
      await refreshStore();
      toast(`Store reset: ${plural(created.orders, 'order')} and ${plural(created.pets, 'pet')}`);
    },
  });
  return (
    <Dialog title="Reset store?" onClose={onClose}>
      <DialogForm
        submitLabel={reset.isPending ? 'Resetting…' : 'Reset store'}
        danger
        {...submitProps(reset, onClose)}
        cancelLabel="Keep data"
        onCancel={onClose}
      >
        <p className="text-ink-soft">
          This deletes{' '}
          <strong className="text-ink">
            {summary
              ? `${plural(totalOf(summary.orders), 'order')} and ${plural(summary.stock.length, 'pet')}`
              : 'all orders and pets'}
          </strong>
          , their history, all idempotency keys and all armed faults. Your API keys keep working. This can't
          be undone.
        </p>
      </DialogForm>
    </Dialog>
  );
}
