import { readDeployments } from './api/deployments.ts';
import { basePath } from './base-path.ts';
import { currentKey, readSession } from './docs/key.ts';
import { showDeployment } from './theme/show-deployment.ts';

/** In narrow windows the list of guides scrolls sideways: centers the current guide, again once the fonts have set its width. */
const link = document.querySelector<HTMLElement>('.guide-list [aria-current]');
const row = link?.closest('ul');
const center = () => {
  if (link && row)
    row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
};

center();
void document.fonts.ready.then(center);

const documented = { production: 'http://127.0.0.1:8080', staging: 'http://127.0.0.1:8081' };

/** Shows the reader's own addresses and, if this tab has one, key in the examples. */
async function fillIn(): Promise<void> {
  const deployments = await readDeployments();
  const [here] = deployments;
  if (here) showDeployment(here.name);
  for (const { name, origin } of deployments) replaceInCode(documented[name], origin);
  await readSession();
  const key = await currentKey();
  const placeholder = key.startsWith('pst_live_') ? 'pst_live_…' : 'pst_test_…';
  if (key !== '') replaceInCode(`PETSTORE_KEY=${placeholder}`, `PETSTORE_KEY=${key}`);
}

function replaceInCode(from: string, to: string): void {
  for (const code of document.querySelectorAll('.guide code'))
    if (code.textContent.includes(from)) code.textContent = code.textContent.replaceAll(from, to);
}

// Without the service, the examples keep the documented addresses.
fillIn().catch(() => {});

document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('[data-copy]');
  const text = button?.parentElement?.querySelector('code')?.textContent;
  if (!button || text === undefined) return;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_500);
});

interface Section {
  readonly path: string;
  readonly guide: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_FOUND = 12;
const search = document.getElementById('search') as HTMLInputElement;
const [found, all] = ['found', 'all'].map((id) => document.getElementById(id) as HTMLElement) as [
  HTMLElement,
  HTMLElement,
];
let index: Promise<readonly Section[]> | undefined;

search.addEventListener('input', async () => {
  index ??= fetch(basePath + search.dataset.index).then((response) => response.json());
  const sections = await index;
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = sections.filter(({ guide, heading, text }) => {
    const whole = `${guide} ${heading} ${text}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  // Sections whose heading matches come first.
  const isTitled = ({ heading }: Section) => words.some((word) => heading.toLowerCase().includes(word));
  const sorted = [...matches.filter(isTitled), ...matches.filter((section) => !isTitled(section))];
  found.hidden = words.length === 0;
  all.hidden = words.length > 0;
  found.replaceChildren(...sorted.slice(0, MAX_FOUND).map(entryFor));
  if (sorted.length === 0)
    found.append(Object.assign(document.createElement('li'), { textContent: 'No results.' }));
});

function entryFor({ path, guide, heading }: Section): HTMLElement {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = basePath + path;
  link.textContent = heading === guide ? guide : `${guide}: ${heading}`;
  entry.append(link);
  return entry;
}
