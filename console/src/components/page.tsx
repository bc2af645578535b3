import { type ReactNode, useEffect, useRef } from 'react';
import { isStaging } from '../theme/show-deployment.ts';

/** Whether no page was shown yet: the heading of the first page does not take the focus. */
let isFirstPage = true;

/** Page heading with actions. After navigation it takes the focus, unless a field has autofocus. */
export function Page({
  title,
  lead,
  actions,
  name,
  children,
}: {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown in the window title. */
  readonly name: string;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${isStaging() ? 'Staging: ' : ''}${name} · Pet Store Service`;
  }, [name]);
  useEffect(() => {
    const field = document.querySelector<HTMLElement>('main [data-autofocus]');
    if (field) field.focus({ preventScroll: true });
    else if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);

  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 lg:mb-8">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-[2rem] lg:text-[2.5rem]">
            {title}
          </h1>
          {lead && <div className="mt-2 max-w-2xl text-ink-soft">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function Section({
  title,
  note,
  children,
  className = '',
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <section aria-label={title} className={`panel p-5 sm:p-6 ${className}`}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        {note && <p className="text-ink-soft text-sm">{note}</p>}
      </div>
      {children}
    </section>
  );
}
