import { useMutation, useQuery } from '@tanstack/react-query';
import type { ResetInput } from '../../../client/src/index.ts';
import { patientClient } from '../api/client.ts';
import { refreshStore, storeQueries } from '../api/queries.ts';
import { count } from '../format.ts';
import { totalOf } from '../ship-buckets.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submits } from './dialog-form.tsx';
import { toast } from './toast.tsx';

/** Says what a reset takes away before it is made. */
export function ConfirmReset({
  input,
  onClose,
}: {
  readonly input: ResetInput;
  readonly onClose: () => void;
}) {
  const summary = useQuery(storeQueries.summary()).data;
  const reset = useMutation({
    mutationFn: () => patientClient.sandbox.reset(input),
    onSuccess: async (made) => {
      await refreshStore();
      toast(`The store holds ${count(made.orders)} orders and ${count(made.pets)} pets`);
    },
  });
  return (
    <Dialog title="Reset the store?" onClose={onClose}>
      <DialogForm
        verb={reset.isPending ? 'Resetting…' : 'Reset the store'}
        danger
        {...submits(reset, onClose)}
        otherwise="Keep it"
        onCancel={onClose}
      >
        <p className="text-ink-soft">
          You lose{' '}
          <strong className="text-ink">
            {summary
              ? `${count(totalOf(summary.orders))} orders and ${count(summary.stock.length)} pets`
              : 'all orders and pets'}
          </strong>
          , with their history, the idempotency keys and the armed faults. Your API keys keep working. This
          cannot be undone.
        </p>
      </DialogForm>
    </Dialog>
  );
}
