import { day, time } from '../format.ts';

/** A moment in UTC: its day, and its time more quietly. */
export function When({ at, only }: { readonly at: string; readonly only?: 'day' }) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {day(at)}
      {only === undefined && <span className="text-ink-soft"> {time(at)}</span>}
    </time>
  );
}
