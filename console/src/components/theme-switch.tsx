import { useId } from 'react';
import { chooseTheme, type Theme, useTheme } from '../theme/theme.ts';
import { Icon, type IconName } from './icon.tsx';

const themes: ReadonlyArray<[Theme, IconName, string]> = [
  ['light', 'sun', 'Light'],
  ['system', 'system', 'System'],
  ['dark', 'moon', 'Dark'],
];

export function ThemeSwitch() {
  const chosen = useTheme();
  const group = useId();
  return (
    <fieldset className="inline-flex justify-self-start rounded-full border border-line bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(([theme, icon, name]) => (
        <label
          key={theme}
          title={name}
          className="relative grid size-8 place-items-center rounded-full text-ink-soft has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-3 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={group}
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
            aria-label={name}
          />
          <Icon name={icon} size={16} />
        </label>
      ))}
    </fieldset>
  );
}
