import { readDeployments } from '../api/deployments.ts';
import { currentPath, publicPath } from '../base-path.ts';
import { showDeployment } from '../theme/show-deployment.ts';
import { currentKey, readSession, signedInAs } from './key.ts';
import { documentedOrigins, origins } from './page-context.ts';
import { runOnStaging } from './run-on-staging.ts';
import { setUpSearch } from './search.ts';

/** Brings a prerendered page of documentation to life: addresses, key, search, copy buttons, and the forms. */

/** The first page of version 2 lists all operations: a link such as /docs/v2#placeOrder leads on to its group. */
function followOperation(): void {
  const id = location.hash.slice(1);
  if (id === '' || !/\/docs\/v2\/?$/.test(location.pathname)) return;
  const link = document.querySelector<HTMLAnchorElement>(`li[id="${CSS.escape(id)}"] a`);
  if (link) location.replace(link.href);
}
followOperation();
addEventListener('hashchange', followOperation);

const text = (id: string) => document.getElementById(id)?.textContent ?? '';
const session = readSession().catch(() => false);
const isReference = document.querySelector('script#request-data') !== null;
if (isReference)
  void import('./islands.tsx').then(({ hydrateForms }) => hydrateForms(text('request-data'), session));

/** Replaces text in code, either only inside or only outside the quickstart, which shows only this deployment's address. */
function replaceInCode(from: string, to: string, { isQuickstart = false } = {}): void {
  for (const code of document.querySelectorAll('main pre code, main dd code, main p code, main li code')) {
    if (code.closest('[data-try]') || isQuickstart !== (code.closest('[data-quickstart]') !== null)) continue;
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.nodeValue?.includes(from)) node.nodeValue = node.nodeValue.replaceAll(from, to);
  }
}

/** Shows the reader's own addresses in the examples. */
async function showAddresses(): Promise<void> {
  const deployments = await readDeployments();
  const [current] = deployments;
  if (!current) return;
  showDeployment(current.name);
  origins.set({
    current: current.name,
    ...Object.fromEntries(deployments.map(({ name, origin }) => [name, origin])),
  });
  replaceInCode(documentedOrigins.production, current.origin, { isQuickstart: true });
  for (const { name, origin } of deployments) replaceInCode(documentedOrigins[name], origin);
  for (const name of document.querySelectorAll('[data-deployment-name]')) name.textContent = current.name;
  for (const row of document.querySelectorAll<HTMLElement>('[data-deployment-row]')) {
    const isKnown = deployments.some(({ name }) => name === row.dataset.deploymentRow);
    row.hidden = !isKnown;
    if (row.dataset.deploymentRow === current.name) row.parentElement?.prepend(row);
  }
  const { staging } = origins.get();
  for (const note of document.querySelectorAll<HTMLElement>('[data-staging-only]')) {
    note.classList.toggle('hidden', current.name === 'staging');
    const link = note.querySelector('a');
    if (link && staging) link.href = `${staging}/docs/v2/sandbox`;
  }
}

/** Shows the signed-in identity, and puts the current key into the examples. */
async function showSignedInUser(): Promise<void> {
  await session;
  const accountLink = document.getElementById('account-link') as HTMLAnchorElement;
  const name = signedInAs.get();
  accountLink.textContent = name ?? 'Sign in';
  accountLink.href = publicPath(
    name ? '/console/account' : `/console/sign-in?back=${encodeURIComponent(currentPath())}`,
  );
  const key = await currentKey();
  const placeholder = key.startsWith('pst_live_') ? 'pst_live_…' : 'pst_test_…';
  if (key === '' || isReference) return;
  // The name of the variable is in another text node, because it is highlighted.
  replaceInCode(`=${placeholder}`, `=${key}`);
}

// Without the service, the examples keep the documented addresses.
void showAddresses()
  .then(showSignedInUser, showSignedInUser)
  .catch(() => {});

document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('[data-copy], [data-run]');
  const code = button?.closest('.code-card')?.querySelector('code')?.textContent;
  if (!button || code === undefined || code === null) return;
  if ('run' in button.dataset) return runOnStaging(button, code);
  const isCopied = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Copy failed';
  const announcement = document.getElementById('announcement');
  if (announcement) announcement.textContent = button.textContent;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_500);
});

const theme = document.getElementById('theme');
theme?.addEventListener('click', async () => {
  const { chooseTheme } = await import('../theme/theme.ts');
  const isDark = getComputedStyle(document.documentElement).getPropertyValue('--is-dark') === '1';
  chooseTheme(isDark ? 'light' : 'dark');
});

// Links in the menu lead to sections of this page, which the open menu would cover.
const menu = document.getElementById('menu');
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a') && menu.matches(':popover-open')) menu.hidePopover();
});

/** Marks the section in view in the navigation. */
function watchSections(): void {
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLElement>('[data-spy]'), (link) => [
      link.dataset.spy ?? '',
      link,
    ]),
  );
  const watching = new IntersectionObserver(
    (changes) => {
      const inView = changes.findLast(({ isIntersecting }) => isIntersecting);
      if (!inView) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      const link = links.get(inView.target.id);
      link?.setAttribute('aria-current', 'location');
      // `scrollIntoView` would scroll the page, too.
      const list = link?.closest<HTMLElement>('.docs-menu');
      if (link && list && list.scrollHeight > list.clientHeight)
        list.scrollTop = link.offsetTop - list.clientHeight / 2;
    },
    { rootMargin: '-15% 0px -80% 0px' },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) watching.observe(section);
  }
}
watchSections();
setUpSearch(document.getElementById('search') as HTMLInputElement);
