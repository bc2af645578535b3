import { useState } from 'react';
import { type Order, type Pet, type Transition, transitions } from '../api/store.ts';
import { ChangeOrderDialog } from './change-order-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

const names: Record<Transition, string> = { cancel: 'Cancel', ship: 'Ship', deliver: 'Deliver' };
const all = Object.keys(names) as Transition[];

/** What can be asked of an order as it is: nothing is offered that cannot succeed. */
const offered = ({ status }: Order) => all.filter((transition) => transitions[transition].from === status);

/** The changes that an order is open to. In a list they are small, and behind one button on a phone. */
export function OrderActions({
  order,
  pet,
  compact = false,
}: {
  readonly order: Order;
  readonly pet: Pet | undefined;
  readonly compact?: boolean;
}) {
  const [asked, ask] = useState<Transition | 'menu'>();
  const offers = offered(order);
  return (
    <span className={`inline-flex justify-end gap-1 ${compact ? '' : 'flex-wrap'}`}>
      {offers.map((transition) => (
        <button
          // The button that goes forward stays the same one, and keeps the focus.
          key={transition === 'cancel' ? transition : 'forward'}
          type="button"
          className={`button ${compact ? 'button-small !hidden md:!inline-flex' : ''} ${styleOf(transition, compact)}`}
          aria-label={`${names[transition]} order ${order.id}`}
          onClick={() => ask(transition)}
        >
          {names[transition]}
          {compact ? '' : ' order'}
        </button>
      ))}
      {compact && offers.length > 0 && (
        <button
          type="button"
          className="button button-quiet -my-1 min-h-11 !px-2.5 md:!hidden"
          aria-label={`Actions for order ${order.id}`}
          onClick={() => ask('menu')}
        >
          <Icon name="more" />
        </button>
      )}
      {asked === 'menu' ? (
        <Dialog title={`Order ${order.id}`} onClose={() => ask(undefined)}>
          <div className="grid gap-2">
            {[...offers].reverse().map((transition) => (
              <button
                key={transition}
                type="button"
                className={`button min-h-12 ${styleOf(transition, false)}`}
                onClick={() => ask(transition)}
              >
                {names[transition]} order {String(order.id)}
              </button>
            ))}
          </div>
        </Dialog>
      ) : (
        asked && (
          <ChangeOrderDialog order={order} pet={pet} transition={asked} onClose={() => ask(undefined)} />
        )
      )}
    </span>
  );
}

function styleOf(transition: Transition, compact: boolean): string {
  if (transition === 'cancel') return compact ? 'button-quiet !text-ink-soft' : '';
  return compact ? 'min-w-[5.5rem]' : 'button-primary min-w-[5.5rem]';
}
