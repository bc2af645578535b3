import { sharedValue } from '../shared-value.ts';

const NAME = 'petstore-density';
const { dataset } = document.documentElement;

// Set by the before-paint script from the stored choice.
const isCompact = sharedValue(dataset.density === 'compact');

/** Whether table rows are compact. */
export const useCompact = isCompact.use;

function setCompact(on: boolean): void {
  if (on) dataset.density = 'compact';
  else delete dataset.density;
  try {
    if (on) localStorage.setItem(NAME, 'compact');
    else localStorage.removeItem(NAME);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  isCompact.set(on);
}

export const toggleDensity = () => setCompact(!isCompact.get());
