import { useId, useState } from 'react';
import { navigate } from '../router/router.ts';
import { Icon } from './icon.tsx';

const LARGEST = 2n ** 63n - 1n;

/** Opens an order by its number, exact to the last digit. */
export function GoToOrder() {
  const [text, setText] = useState('');
  const [refused, refuse] = useState(false);
  const id = useId();
  return (
    <form
      className="relative"
      onSubmit={(event) => {
        event.preventDefault();
        const digits = text.trim();
        const isId = /^\d+$/.test(digits) && BigInt(digits) <= LARGEST;
        refuse(!isId);
        if (isId) navigate(`/orders/${BigInt(digits)}`);
      }}
    >
      <label htmlFor={id} className="sr-only">
        Go to order
      </label>
      <span className="-translate-y-1/2 pointer-events-none absolute top-[1.125rem] left-3 text-ink-soft">
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
          refuse(false);
        }}
        aria-invalid={refused}
        aria-describedby={refused ? `${id}-why` : undefined}
      />
      {refused && (
        <p id={`${id}-why`} role="alert" className="mt-1 font-semibold text-[0.8125rem] text-danger">
          A whole number of up to 19 digits
        </p>
      )}
    </form>
  );
}
