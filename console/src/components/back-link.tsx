import { Link } from '../router/link.tsx';
import { Icon } from './icon.tsx';

/** Link from a detail page back to its list. */
export function BackLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <p className="mb-3">
      <Link to={to} className="inline-flex items-center gap-1 font-semibold text-accent text-sm">
        <Icon name="left" size={16} /> {name}
      </Link>
    </p>
  );
}
