import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { hrefOf, navigate } from './router.ts';

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly to: string;
  readonly keepScroll?: boolean;
}

/** A real anchor, so that it can be opened in a new tab and copied. */
export function Link({ to, keepScroll, onClick, ...rest }: Props) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(to, { keepScroll: keepScroll ?? false });
  };
  return <a {...rest} href={hrefOf(to)} onClick={follow} />;
}
