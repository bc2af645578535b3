import { clock, day, time } from '../format.ts';

/** A date in UTC with its time in a lighter colour. */
export function When({
  at,
  to = 'minute',
}: {
  readonly at: string;
  readonly to?: 'day' | 'minute' | 'second';
}) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {day(at)}
      {to !== 'day' && <span className="text-ink-soft"> {(to === 'second' ? clock : time)(at)}</span>}
    </time>
  );
}
