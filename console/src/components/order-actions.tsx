import { type Order, type Pet, type Transition, transitions } from '../api/store.ts';
import { ChangeOrderDialog } from './change-order-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

const names: Record<Transition, string> = { cancel: 'Cancel', ship: 'Ship', deliver: 'Deliver' };
const all = Object.keys(names) as Transition[];

/** What is asked about an order: one change, or which of them it shall be. */
export type Asked = Transition | 'menu';

/** What can be asked of an order as it is: nothing is offered that cannot succeed. */
const offered = ({ status }: Order) => all.filter((transition) => transitions[transition].from === status);

/** The changes that an order is open to. In a list they are small, and behind one button on a phone. */
export function OrderActions({
  order,
  onAsk,
  compact = false,
}: {
  readonly order: Order;
  readonly onAsk: (asked: Asked) => void;
  readonly compact?: boolean;
}) {
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
          onClick={() => onAsk(transition)}
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
          onClick={() => onAsk('menu')}
        >
          <Icon name="more" />
        </button>
      )}
    </span>
  );
}

/** The dialog of what is asked about an order. It is no part of the order's row, which may go away under it. */
export function OrderDialog({
  asked,
  order,
  pet,
  onAsk,
  onClose,
}: {
  readonly asked: Asked;
  readonly order: Order;
  readonly pet: Pet | undefined;
  readonly onAsk: (asked: Asked) => void;
  readonly onClose: () => void;
}) {
  if (asked !== 'menu')
    return <ChangeOrderDialog order={order} pet={pet} transition={asked} onClose={onClose} />;
  return (
    <Dialog title={`Order ${order.id}`} onClose={onClose}>
      <div className="grid gap-2">
        {offered(order)
          .reverse()
          .map((transition) => (
            <button
              key={transition}
              type="button"
              className={`button min-h-12 ${styleOf(transition, false)}`}
              onClick={() => onAsk(transition)}
            >
              {names[transition]} order {String(order.id)}
            </button>
          ))}
      </div>
    </Dialog>
  );
}

function styleOf(transition: Transition, compact: boolean): string {
  if (transition === 'cancel') return compact ? 'button-quiet !text-ink-soft' : '';
  return compact ? 'min-w-[5.5rem]' : 'button-primary min-w-[5.5rem]';
}
