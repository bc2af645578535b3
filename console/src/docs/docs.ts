import { parseJson } from '../../../client/src/json.ts';
import { readDeployments } from '../api/deployments.ts';
import { showDeployment } from '../theme/show-deployment.ts';
import { currentKey, fillInKey } from './key.ts';
import { findPresent } from './present.ts';
import { type ApiDocument, tryable } from './tryable.ts';

interface Scalar {
  createApiReference(place: string, configuration: object): unknown;
}

const version = location.pathname.endsWith('/v1') ? 'v1' : 'v2';
const path = `/${version}/openapi.json`;
const system = matchMedia('(prefers-color-scheme: dark)');
const { dataset } = document.documentElement;

const isDark = () => (dataset.theme === undefined ? system.matches : dataset.theme === 'dark');

/** Sends what is tried out with the key of the page's head, whatever the reference made of it. */
async function sendWithKey(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const key = await currentKey();
  if (key !== '') request.headers.set('authorization', `Bearer ${key}`);
  return fetch(request);
}

async function readIds(page: string): Promise<string[]> {
  if ((await currentKey()) === '') return [];
  const answer = await sendWithKey(`/v2${page}`);
  if (!answer.ok) return [];
  const { data } = parseJson(await answer.text()) as { data: { id: bigint | string }[] };
  return data.map(({ id }) => String(id));
}

const configurationOf = (content: object) => ({
  content,
  pageTitle: `Pet Store API ${version}`,
  customFetch: sendWithKey,
  darkMode: isDark(),
  forceDarkModeState: isDark() ? 'dark' : 'light',
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  hideClientButton: true,
  hiddenClients: true,
  documentDownloadType: 'none',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  theme: 'none',
});

/** The script of the reference is some megabytes: it comes when the rest of the page is there. */
function loadScalar(): Promise<Scalar> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = '/docs/js/scalar.js';
    script.onload = () => resolve((globalThis as unknown as { Scalar: Scalar }).Scalar);
    script.onerror = () => reject(new Error('the reference did not load'));
    document.head.append(script);
  });
}

function watchTheme(): void {
  const button = document.getElementById('theme') as HTMLButtonElement;
  const name = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Show in ${isDark() ? 'light' : 'dark'} colours`);
  };
  const change = () => {
    name();
    // The reference knows its colours by these.
    document.body.classList.toggle('dark-mode', isDark());
    document.body.classList.toggle('light-mode', !isDark());
  };
  name();
  system.addEventListener('change', change);
  button.addEventListener('click', () => {
    dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem('petstore-theme', dataset.theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    change();
  });
}

/** The reference leaves room for as much of the head as stays in sight. */
function watchHead(): void {
  const head = document.getElementById('docs-header') as HTMLElement;
  const measure = () => {
    const room = getComputedStyle(head).position === 'sticky' ? head.offsetHeight : 0;
    document.documentElement.style.setProperty('--header', `${room}px`);
  };
  new ResizeObserver(measure).observe(head);
}

async function open(): Promise<void> {
  watchHead();
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.versions a'))
    if (link.dataset.version === version) link.setAttribute('aria-current', 'page');
  (document.getElementById('document') as HTMLAnchorElement).href = path;
  const [[here], answer, scalar, present] = await Promise.all([
    readDeployments(),
    fetch(path),
    loadScalar(),
    fillInKey().then(() => findPresent(version, readIds)),
  ]);
  if (here) {
    showDeployment(here.name);
    const named = document.getElementById('deployment');
    if (named) named.textContent = here.name === 'staging' ? 'Staging' : 'Production';
  }
  const content = tryable((await answer.json()) as ApiDocument, here?.name ?? 'production', present);
  scalar.createApiReference('#reference', configurationOf(content));
  watchTheme();
}

open().catch(() => {
  const place = document.getElementById('reference');
  if (place) place.textContent = `The reference could not be loaded. The document itself is at ${path}.`;
});
