import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { explainChange } from '../api/explain.ts';
import { queryClient, refreshStore, storeQueries } from '../api/queries.ts';
import { changeOrder, type Order, type Pet, type Transition } from '../api/store.ts';
import { plural } from '../format.ts';
import { Dialog } from './dialog.tsx';
import { Refusal } from './states.tsx';
import { Status } from './status.tsx';
import { toast } from './toast.tsx';

interface Words {
  readonly title: string;
  readonly effect: string;
  readonly verb: string;
  readonly done: string;
}

function wordsFor(transition: Transition, { id, quantity }: Order, pet: Pet | undefined): Words {
  const units = plural(quantity, 'unit');
  return {
    ship: {
      title: `Ship order ${id}?`,
      effect: 'Its ship date becomes this moment. Shipping cannot be reversed.',
      verb: 'Ship it',
      done: `Order ${id} is shipped`,
    },
    deliver: {
      title: `Deliver order ${id}?`,
      effect: 'It is complete then, and stays so.',
      verb: 'Mark as delivered',
      done: `Order ${id} is delivered`,
    },
    cancel: {
      title: `Cancel order ${id}?`,
      effect: `${pet ? `${pet.name} gets ${units} back in stock` : `${units} go back in stock`}. A cancelled order stays cancelled.`,
      verb: 'Cancel the order',
      done: `Order ${id} is cancelled`,
    },
  }[transition];
}

/** Asks once, does it, and explains a refusal where it was asked. */
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
  const words = wordsFor(transition, shown, pet);
  const change = useMutation({
    mutationFn: () => changeOrder(shown.id, transition),
    onSuccess: async () => {
      await refreshStore();
      toast(words.done);
      onClose();
    },
    // The order is not as it was shown, so it is read before the refusal is explained.
    onError: async () => {
      await Promise.allSettled([
        queryClient.fetchQuery({ ...storeQueries.order(shown.id), staleTime: 0 }),
        refreshStore(),
      ]);
    },
  });
  return (
    <Dialog title={change.isError ? 'That was refused' : words.title} onClose={onClose}>
      {change.isError ? (
        <div className="grid gap-5 whitespace-normal text-left">
          <Refusal explanation={explainChange(change.error, transition, current)} />
          <p className="flex items-center gap-2">
            Order {shown.id} is now <Status status={current.status} />
          </p>
          <div className="flex justify-end">
            <button type="button" className="button" onClick={onClose}>
              Understood
            </button>
          </div>
        </div>
      ) : (
        <div className="grid gap-6 whitespace-normal text-left">
          <p className="text-ink-soft">{words.effect}</p>
          <div className="flex flex-wrap justify-end gap-2">
            <button type="button" className="button" onClick={onClose}>
              Leave it
            </button>
            <button
              type="button"
              data-autofocus
              className={`button ${transition === 'cancel' ? 'button-danger' : 'button-primary'}`}
              disabled={change.isPending}
              onClick={() => change.mutate()}
            >
              {words.verb}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
