import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { addDays, addMonths, dayOf, weekday, weeksOf } from '../month.ts';
import { Icon } from './icon.tsx';

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** The day that each key moves to. */
const moves: Readonly<Record<string, (at: number) => number>> = {
  ArrowLeft: (at) => addDays(at, -1),
  ArrowRight: (at) => addDays(at, 1),
  ArrowUp: (at) => addDays(at, -7),
  ArrowDown: (at) => addDays(at, 7),
  Home: (at) => addDays(at, -weekday(at)),
  End: (at) => addDays(at, 6 - weekday(at)),
  PageUp: (at) => addMonths(at, -1),
  PageDown: (at) => addMonths(at, 1),
};

/** A month of days; arrow keys move between days, Page Up and Page Down between months. */
export function Calendar({
  value,
  min,
  onChoose,
}: {
  readonly value: number | undefined;
  readonly min: number | undefined;
  readonly onChoose: (day: string) => void;
}) {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const [current, setCurrent] = useState(value ?? today);
  const grid = useRef<HTMLTableElement>(null);
  // The current day takes the focus on opening and after a key, but not after a click on a month button.
  const takesFocus = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the current day.
  useEffect(() => {
    if (takesFocus.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    takesFocus.current = false;
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = moves[event.key];
    if (!step) return;
    event.preventDefault();
    takesFocus.current = true;
    setCurrent(step(current));
  };
  // Not `disabled`: focus has to be able to move across these days.
  const isTooEarly = (at: number) => min !== undefined && at < min;
  return (
    <div className="w-72 p-3">
      <div className="mb-2 flex items-center justify-between">
        <MonthButton name="Previous month" icon="left" onClick={() => setCurrent(addMonths(current, -1))} />
        <p aria-live="polite" className="font-display font-semibold">
          {monthFormat.format(current)}
        </p>
        <MonthButton name="Next month" icon="right" onClick={() => setCurrent(addMonths(current, 1))} />
      </div>
      <table ref={grid} className="w-full table-fixed text-center text-sm" onKeyDown={onKeyDown}>
        <caption className="sr-only">{monthFormat.format(current)}</caption>
        <thead className="text-ink-soft text-xs">
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" className="pb-1 font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(current).map((week) => (
            <tr key={week[0]}>
              {week.map((at) => (
                <td key={at}>
                  <button
                    type="button"
                    tabIndex={at === current ? 0 : -1}
                    aria-label={dayFormat.format(at)}
                    aria-pressed={at === value}
                    aria-current={at === today ? 'date' : undefined}
                    aria-disabled={isTooEarly(at)}
                    onClick={() => isTooEarly(at) || onChoose(dayOf(at))}
                    className={`calendar-day ${new Date(at).getUTCMonth() === new Date(current).getUTCMonth() ? '' : 'text-ink-soft'}`}
                  >
                    {new Date(at).getUTCDate()}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MonthButton({
  name,
  icon,
  onClick,
}: {
  readonly name: string;
  readonly icon: 'left' | 'right';
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={name}
      className="grid size-8 place-items-center rounded-full hover:bg-sunken"
      onClick={onClick}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
