import { clock, day, time } from '../format.ts';

/** A date in UTC with its time in a lighter colour. */
export function When({
  at,
  precision = 'minute',
}: {
  readonly at: string;
  readonly precision?: 'day' | 'minute' | 'second';
}) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {day(at)}
      {precision !== 'day' && (
        <span className="text-ink-soft"> {(precision === 'second' ? clock : time)(at)}</span>
      )}
    </time>
  );
}
