import { useState } from 'react';
import { type Order, type Transition, transitions } from '../api/store.ts';
import { count } from '../format.ts';
import { ChangeOrdersDialog } from './change-orders-dialog.tsx';

const names: Record<Transition, string> = { ship: 'Ship', deliver: 'Deliver', cancel: 'Cancel' };

/** Bulk actions for the selected orders; each applies to those whose status allows it. */
export function SelectedOrders({
  orders,
  onClear,
}: {
  readonly orders: readonly Order[];
  readonly onClear: () => void;
}) {
  const [dialog, setDialog] = useState<{ transition: Transition; orders: readonly Order[] }>();
  const offers = (Object.keys(names) as Transition[]).map((transition) => ({
    transition,
    orders: orders.filter(({ status }) => status === transitions[transition].from),
  }));
  // A pending order can be shipped or cancelled, but counts once.
  const total = offers.reduce(
    (sum, { transition, orders }) => (transition === 'cancel' ? sum : sum + orders.length),
    0,
  );
  return (
    <>
      {total > 0 && (
        <section
          aria-label="Selected orders"
          // Floats over the page, so that selecting an order does not move rows.
          className="panel -translate-x-1/2 fixed bottom-20 left-1/2 z-30 flex w-max max-w-[calc(100vw-2rem)] flex-wrap items-center gap-2 border-accent! py-2 pr-2 pl-4 shadow-lg lg:bottom-6"
        >
          <p className="mr-4 font-semibold text-sm">{count(total)} selected</p>
          {offers
            .filter((offer) => offer.orders.length > 0)
            .map((offer) => (
              <button
                key={offer.transition}
                type="button"
                className={`button button-small ${offer.transition === 'cancel' ? 'button-quiet-danger' : 'button-primary'}`}
                onClick={() => setDialog(offer)}
              >
                {names[offer.transition]} {offer.orders.length}
              </button>
            ))}
          <button type="button" className="button button-small button-quiet" onClick={onClear}>
            Clear
          </button>
        </section>
      )}
      {dialog && <ChangeOrdersDialog {...dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}
