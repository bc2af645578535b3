import { type Order, type Pet, type Transition, transitions } from '../api/store.ts';
import { ChangeOrderDialog } from './change-order-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

const names: Record<Transition, string> = { cancel: 'Cancel', ship: 'Ship', deliver: 'Deliver' };
const allTransitions = Object.keys(names) as Transition[];

/** The dialog to open for an order: a change, or the menu of changes. */
export type OrderDialogKind = Transition | 'menu';

/** The changes that the order's status allows. */
const allowedTransitions = ({ status }: Order) =>
  allTransitions.filter((transition) => transitions[transition].from === status);

/** Buttons for the allowed changes: compact in lists, and a single menu button in narrow lists. */
export function OrderActions({
  order,
  onOpen,
  compact = false,
}: {
  readonly order: Order;
  readonly onOpen: (kind: OrderDialogKind) => void;
  readonly compact?: boolean;
}) {
  const allowed = allowedTransitions(order);
  return (
    <span className={`inline-flex justify-end ${compact ? 'gap-1' : 'flex-wrap gap-2'}`}>
      {allowed.map((transition) => (
        <button
          // Ship and Deliver share a key, so that the button keeps the focus after shipping.
          key={transition === 'cancel' ? transition : 'forward'}
          type="button"
          className={`button ${compact ? 'button-small !hidden @4xl:!inline-flex' : ''} ${styleOf(transition, compact)}`}
          aria-label={`${names[transition]} order ${order.id}`}
          onClick={() => onOpen(transition)}
        >
          {names[transition]}
          {compact ? '' : ' order'}
        </button>
      ))}
      {compact && allowed.length > 0 && (
        <button
          type="button"
          className="button button-quiet -my-1 min-h-11 !px-2.5 @4xl:!hidden"
          aria-label={`Actions for order ${order.id}`}
          onClick={() => onOpen('menu')}
        >
          <Icon name="more" />
        </button>
      )}
    </span>
  );
}

/** Rendered outside the order's row, which may disappear while the dialog is open. */
export function OrderDialog({
  kind,
  order,
  pet,
  onOpen,
  onClose,
}: {
  readonly kind: OrderDialogKind;
  readonly order: Order;
  readonly pet: Pet | undefined;
  readonly onOpen: (kind: OrderDialogKind) => void;
  readonly onClose: () => void;
}) {
  if (kind !== 'menu')
    return <ChangeOrderDialog order={order} pet={pet} transition={kind} onClose={onClose} />;
  return (
    <Dialog title={`Order ${order.id}`} onClose={onClose}>
      <div className="grid gap-2">
        {allowedTransitions(order)
          .reverse()
          .map((transition) => (
            <button
              key={transition}
              type="button"
              className={`button min-h-12 ${styleOf(transition, false)}`}
              onClick={() => onOpen(transition)}
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
