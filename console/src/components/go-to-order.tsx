import { useId, useState } from 'react';
import { parseOrderId } from '../order-id.ts';
import { navigate } from '../router/router.ts';
import { Icon } from './icon.tsx';

/** Opens an order by its ID; a bigint, so that no digit is lost. */
export function GoToOrder() {
  const [text, setText] = useState('');
  const [rejection, setRejection] = useState<string>();
  const id = useId();
  return (
    <form
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        const order = parseOrderId(text);
        if ('id' in order) navigate(`/orders/${order.id}`);
        else setRejection(order.rejected);
      }}
    >
      <label htmlFor={id} className="sr-only">
        Go to order
      </label>
      <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 text-ink-soft">
        <Icon name="search" size={16} />
      </span>
      <input
        id={id}
        className="input input-small !w-44 !pl-9"
        inputMode="numeric"
        autoComplete="off"
        placeholder="Go to order…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setRejection(undefined);
        }}
        aria-invalid={rejection !== undefined}
        aria-describedby={rejection ? `${id}-why` : undefined}
      />
      {rejection && (
        // Out of the flow, to avoid layout shift.
        <p
          id={`${id}-why`}
          role="alert"
          className="absolute top-full left-0 z-10 mt-1 whitespace-nowrap rounded-lg bg-danger-soft px-2.5 py-1 font-semibold text-[0.8125rem] text-danger sm:right-0 sm:left-auto"
        >
          {rejection}
        </p>
      )}
    </form>
  );
}
