import { useRef } from 'react';
import { blockExitWithUnsavedKey } from '../api/unsaved-key.ts';
import { publicPath } from '../base-path.ts';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/router.ts';
import { Icon, type IconName } from './icon.tsx';

export type NavItem = readonly [to: string, name: string, icon: IconName];

const isCurrent = (path: string, to: string) => (to === '/' ? path === '/' : path.startsWith(to));

export function NavLink({
  item: [to, name, icon],
  className,
  onClick,
}: {
  readonly item: NavItem;
  readonly className: string;
  readonly onClick?: () => void;
}) {
  const { path } = useLocation();
  const isActive = isCurrent(path, to);
  return (
    <Link
      to={to}
      aria-current={isActive ? 'page' : undefined}
      onClick={(event) => {
        onClick?.();
        blockExitWithUnsavedKey(event);
      }}
      className={`flex items-center font-semibold ${className} ${isActive ? 'text-accent lg:bg-accent-soft' : 'text-ink-soft hover:text-ink'}`}
    >
      <Icon name={icon} />
      {name}
    </Link>
  );
}

const documentation = [
  ['/docs', 'API reference'],
  ['/guides', 'Guides'],
] as const;

/** Links that leave the console. Documentation opens in a new tab. */
export function Resources({ className }: { readonly className: string }) {
  return (
    <nav aria-label="Resources" className={`grid text-ink-soft text-sm ${className}`}>
      {documentation.map(([href, name]) => (
        <a
          key={href}
          href={publicPath(href)}
          target="_blank"
          rel="noopener"
          className="inline-flex items-center gap-1.5 hover:text-ink"
        >
          {name} <Icon name="external" size={14} />
        </a>
      ))}
      <a href={publicPath('/')} onClick={blockExitWithUnsavedKey} className="hover:text-ink">
        About Pet Store
      </a>
    </nav>
  );
}

/** Links that fit in the bar of a narrow phone, next to "More". */
const MAX_VISIBLE_LINKS = 4;
const phoneLinkClass = 'flex-col gap-0.5 py-2 text-xs';

/** Bottom navigation on phones: the first pages, and the rest behind "More". */
export function PhoneNavigation({ items }: { readonly items: readonly NavItem[] }) {
  const { path } = useLocation();
  const morePopover = useRef<HTMLDivElement>(null);
  const others = items.slice(MAX_VISIBLE_LINKS);
  const isAnyActive = others.some(([to]) => isCurrent(path, to));
  return (
    <nav
      aria-label="Console"
      className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-fr grid-flow-col border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {items.slice(0, MAX_VISIBLE_LINKS).map((item) => (
        <NavLink key={item[0]} item={item} className={phoneLinkClass} />
      ))}
      <button
        type="button"
        popoverTarget="more-places"
        className={`flex items-center font-semibold ${phoneLinkClass} ${isAnyActive ? 'text-accent' : 'text-ink-soft'}`}
      >
        <Icon name="more" />
        More
      </button>
      <div
        ref={morePopover}
        id="more-places"
        popover="auto"
        className="top-auto right-3 bottom-18 left-auto w-52 rounded-2xl border border-line bg-surface p-2 text-ink shadow-lg"
      >
        {others.map((item) => (
          <NavLink
            key={item[0]}
            item={item}
            className="gap-3 rounded-xl px-3 py-2.5 text-[0.9375rem]"
            onClick={() => morePopover.current?.hidePopover()}
          />
        ))}
        <Resources className="mt-2 border-line border-t px-3 pt-1 *:py-2.5" />
      </div>
    </nav>
  );
}
