import { toggleDensity, useCompact } from '../theme/density.ts';
import { Icon } from './icon.tsx';

/** Switches table rows between comfortable and compact. */
export function DensitySwitch() {
  const isCompact = useCompact();
  return (
    <button
      type="button"
      title="Compact rows"
      aria-label="Compact rows"
      aria-pressed={isCompact}
      onClick={toggleDensity}
      className="grid size-9 place-items-center rounded-full border border-line bg-sunken text-ink-soft hover:text-ink aria-pressed:border-accent aria-pressed:text-accent"
    >
      <Icon name="rows" size={16} />
    </button>
  );
}
