import { sharedValue } from '../shared-value.ts';

export type Theme = 'system' | 'light' | 'dark';
const NAME = 'petstore-theme';
const { dataset } = document.documentElement;

// Set by the before-paint script from the stored choice.
const theme = sharedValue<Theme>(
  dataset.theme === 'light' || dataset.theme === 'dark' ? dataset.theme : 'system',
);

export const useTheme = theme.use;

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') delete dataset.theme;
  else dataset.theme = chosen;
  try {
    if (chosen === 'system') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, chosen);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  theme.set(chosen);
}
