import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { explainChange, explainUnknown, isOutcomeUnknown } from '../api/explain.ts';
import { useOutcome } from '../api/outcome.ts';
import { queryClient, refreshStore, storeQueries } from '../api/queries.ts';
import { changeOrder, type Order, type Pet, type Transition } from '../api/store.ts';
import { plural } from '../format.ts';
import { Dialog } from './dialog.tsx';
import { ApiError } from './states.tsx';
import { Status } from './status.tsx';
import { toast } from './toast.tsx';

interface Texts {
  readonly title: string;
  readonly effect: string;
  readonly verb: string;
  readonly done: string;
  readonly unknown: string;
  readonly notDone: string;
}

function textsFor(transition: Transition, { id, quantity }: Order, pet: Pet | undefined): Texts {
  const units = plural(quantity, 'unit');
  return {
    ship: {
      title: `Ship order ${id}?`,
      effect: "Sets the ship date to now. This can't be undone.",
      verb: 'Ship order',
      done: `Order ${id} shipped`,
      unknown: `order ${id} was shipped`,
      notDone: `Order ${id} was not shipped`,
    },
    deliver: {
      title: `Mark order ${id} as delivered?`,
      effect: "Completes the order. This can't be undone.",
      verb: 'Mark as delivered',
      done: `Order ${id} delivered`,
      unknown: `order ${id} was marked as delivered`,
      notDone: `Order ${id} was not marked as delivered`,
    },
    cancel: {
      title: `Cancel order ${id}?`,
      effect: `Returns ${units}${pet ? ` of ${pet.name}` : ''} to stock. This can't be undone.`,
      verb: 'Cancel order',
      done: `Order ${id} cancelled`,
      unknown: `order ${id} was cancelled`,
      notDone: `Order ${id} was not cancelled`,
    },
  }[transition];
}

/** Confirms and runs a change, and explains a rejection. After a lost response, looks up the outcome in the order's history. */
export function ChangeOrderDialog({
  order: current,
  pet,
  transition,
  onClose,
}: {
  readonly order: Order;
  readonly pet: Pet | undefined;
  readonly transition: Transition;
  readonly onClose: () => void;
}) {
  const [shown] = useState(current);
  const texts = textsFor(transition, shown, pet);
  const finish = async () => {
    await refreshStore();
    toast(texts.done);
    onClose();
  };
  const change = useMutation({
    mutationFn: () => changeOrder(shown.id, transition),
    onSuccess: finish,
    // The order has changed since it was shown: reload it before explaining the rejection.
    onError: async (error) => {
      if (isOutcomeUnknown(error)) return;
      await Promise.allSettled([
        queryClient.fetchQuery({ ...storeQueries.order(shown.id), staleTime: 0 }),
        refreshStore(),
      ]);
    },
  });
  const unknown = isOutcomeUnknown(change.error);
  // A filtered list may no longer contain the order.
  const isRejected = change.isError && !unknown;
  const latest = useQuery({ ...storeQueries.order(shown.id), enabled: isRejected }).data ?? current;
  const { isReachable, wasDone } = useOutcome(shown.id, transition, change.submittedAt, unknown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the outcome is known.
  useEffect(() => {
    if (wasDone) void finish();
  }, [wasDone]);

  const buttons = (label: string, cancelLabel: string) => (
    <div className="flex flex-wrap justify-end gap-2">
      <button type="button" className="button" onClick={onClose}>
        {cancelLabel}
      </button>
      <button
        type="button"
        data-autofocus
        className={`button ${transition === 'cancel' ? 'button-danger' : 'button-primary'}`}
        disabled={change.isPending || (unknown && wasDone !== false)}
        onClick={() => change.mutate()}
      >
        {label}
      </button>
    </div>
  );

  if (unknown) {
    return (
      <Dialog title="No response" onClose={onClose}>
        <div className="grid gap-5 whitespace-normal text-left">
          <ApiError
            explanation={
              wasDone === false
                ? { title: texts.notDone, text: 'The service is back. Nothing was changed.' }
                : explainUnknown(texts.unknown, isReachable)
            }
          />
          {buttons('Try again', 'Close')}
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={change.isError ? 'Order not changed' : texts.title} onClose={onClose}>
      {change.isError ? (
        <div className="grid gap-5 whitespace-normal text-left">
          <ApiError explanation={explainChange(change.error, transition, latest)} />
          <p className="flex items-center gap-2">
            Order {shown.id} is now <Status status={latest.status} />
          </p>
          <div className="flex justify-end">
            <button type="button" data-autofocus className="button" onClick={onClose}>
              OK
            </button>
          </div>
        </div>
      ) : (
        <div className="grid gap-6 whitespace-normal text-left">
          <p className="text-ink-soft">{texts.effect}</p>
          {buttons(texts.verb, transition === 'cancel' ? 'Keep order' : 'Cancel')}
        </div>
      )}
    </Dialog>
  );
}
