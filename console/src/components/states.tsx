import type { ReactNode } from 'react';
import { ConnectionError } from '../../../client/src/index.ts';
import { type Explanation, explain } from '../api/explain.ts';
import { Icon } from './icon.tsx';
import { PetGlyph } from './pet-glyph.tsx';

/** An error message with its error code. */
export function ApiError({
  explanation,
  children,
}: {
  readonly explanation: Explanation;
  /** Links to next steps. */
  readonly children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex gap-3 rounded-2xl bg-danger-soft p-4 text-[0.9375rem]">
      <span className="mt-0.5 text-danger">
        <Icon name="warning" />
      </span>
      <div className="min-w-0">
        <p className="font-semibold">{explanation.title}</p>
        <p className="mt-0.5">{explanation.text}</p>
        {explanation.code && <p className="mt-1.5 font-mono text-xs text-ink-soft">{explanation.code}</p>}
        {children && <p className="mt-2 flex flex-wrap gap-x-5 text-sm">{children}</p>}
      </div>
    </div>
  );
}

/** Says why leaving is blocked, after each attempt to leave. */
export function ExitBlocked({ times, children }: { readonly times: number; readonly children: ReactNode }) {
  return (
    <div role="alert">
      {times > 0 && (
        <p
          key={times}
          className="mt-4 flex animate-[rise_180ms_ease-out] items-start gap-2.5 rounded-2xl bg-pending-soft p-3.5 text-sm"
        >
          <span className="mt-0.5 text-pending">
            <Icon name="warning" size={18} />
          </span>
          {children}
        </p>
      )}
    </div>
  );
}

/** Shown in place of content that failed to load. */
export function Failure({
  error,
  retry,
  children,
}: {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly children?: ReactNode;
}) {
  const { title, text, code } = explain(error);
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 grid size-14 place-items-center rounded-full bg-danger-soft text-danger">
        <Icon name={error instanceof ConnectionError ? 'offline' : 'warning'} size={26} />
      </span>
      <p className="font-display text-xl font-semibold">{title}</p>
      <p className="max-w-md text-ink-soft">{text}</p>
      {code && <p className="font-mono text-xs text-ink-soft">{code}</p>}
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        {retry && (
          <button type="button" className="button" onClick={retry}>
            Try again
          </button>
        )}
        {children}
      </div>
    </div>
  );
}

export function Empty({
  title,
  animal = 'cat',
  children,
}: {
  readonly title: string;
  readonly animal?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      <span className="greets">
        <PetGlyph category={animal} size={72} />
      </span>
      <p className="mt-2 font-display text-xl font-semibold">{title}</p>
      <div className="grid max-w-md justify-items-center gap-3 text-ink-soft [overflow-wrap:anywhere]">
        {children}
      </div>
    </div>
  );
}

const widths = ['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'];

/** Placeholders for rows that are loading. */
export function SkeletonRows({
  rows,
  className = 'h-14',
}: {
  readonly rows: number;
  readonly className?: string;
}) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div
          key={row}
          className={`flex items-center gap-4 border-line border-b px-5 last:border-0 ${className}`}
        >
          <div className="skeleton h-6 w-16" />
          <div className="skeleton size-8 !rounded-full" />
          <div className={`skeleton h-4 min-w-0 shrink ${widths[row % widths.length]}`} />
        </div>
      ))}
    </div>
  );
}
