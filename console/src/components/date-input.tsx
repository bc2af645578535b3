import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { parseDay } from '../month.ts';
import { Calendar } from './calendar.tsx';
import { Icon } from './icon.tsx';

/** Pixels between the calendar and its field or the edge of the window. */
const GAP = 6;
const CALENDAR_WIDTH = 288;

/** A day in UTC, typed as `YYYY-MM-DD` or chosen from a calendar. */
export function DateInput({
  label,
  hint,
  value,
  min,
  required = false,
  small = false,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly value: string;
  readonly min?: string;
  readonly required?: boolean;
  readonly small?: boolean;
  readonly onChange: (day: string) => void;
}) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [invalidText, setInvalidText] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const change = (text: string) => {
    const isDay = text === '' || parseDay(text) !== undefined;
    setInvalidText(isDay ? undefined : text);
    if (isDay) onChange(text);
    const tooEarly = min !== undefined && text !== '' && text < min ? `The earliest date is ${min}.` : '';
    field.current?.setCustomValidity(isDay ? tooEarly : 'Enter a date as YYYY-MM-DD.');
  };
  const positionCalendar = () => {
    const box = field.current?.getBoundingClientRect();
    const element = popover.current;
    if (!box || !element) return;
    const isBelow = box.bottom + GAP + element.offsetHeight < innerHeight;
    element.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - CALENDAR_WIDTH - GAP))}px`;
    element.style.top = `${isBelow ? box.bottom + GAP : Math.max(GAP, box.top - GAP - element.offsetHeight)}px`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // A dialog around the field stays open.
    event.preventDefault();
    event.stopPropagation();
    popover.current?.hidePopover();
  };
  return (
    <div className="grid gap-1">
      <label id={`${id}-label`} htmlFor={id} className="label">
        {label}
      </label>
      <div className="relative">
        <input
          ref={field}
          id={id}
          className={`input !pr-11 ${small ? 'input-small' : ''}`}
          inputMode="numeric"
          autoComplete="off"
          placeholder="YYYY-MM-DD"
          maxLength={10}
          required={required}
          value={invalidText ?? value}
          onChange={({ target }) => change(target.value)}
          aria-describedby={hint && `${id}-about`}
        />
        <button
          type="button"
          popoverTarget={`${id}-calendar`}
          aria-label="Open calendar"
          aria-describedby={`${id}-label`}
          className="-translate-y-1/2 absolute top-1/2 right-1.5 grid size-8 place-items-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <Icon name="calendar" size={18} />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a popover of one button is no fieldset. */}
      <div
        ref={popover}
        id={`${id}-calendar`}
        popover="auto"
        role="group"
        aria-label="Calendar"
        className="fixed m-0 rounded-2xl border border-line bg-surface text-ink shadow-lg"
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') requestAnimationFrame(positionCalendar);
        }}
      >
        {isOpen && (
          <Calendar
            value={parseDay(value)}
            min={min === undefined ? undefined : parseDay(min)}
            onChoose={(day) => {
              change(day);
              popover.current?.hidePopover();
              field.current?.focus();
            }}
          />
        )}
      </div>
      {hint && (
        <p id={`${id}-about`} className="min-h-5 text-[0.8125rem] text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
