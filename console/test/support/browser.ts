import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { memoizeAsync } from '../../../server/src/concurrency/memoize-async.ts';
import { everyTheme } from '../../../server/test/support/effort.ts';
import { chromiumPath } from './chromium.ts';

/** Flags for tiny machines and 3D graphics, which only slow this one down. */
const unwanted =
  /single-process|no-zygote|disable-web-security|site-isolation|allow-running-insecure|gpu|angle|use-gl|swiftshader/;

/** No process for pages that may come, none for drawing or the network, and no sub-pixel text, to save processor time. */
const query = [
  '--no-sandbox',
  '--renderer-process-limit=1',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-lcd-text',
];

/** Slow pages are not failures: only one that hangs is aborted. */
const TIMEOUT_MS = 200_000;

/** One browser per worker, shared by its test files; visitors are isolated from each other. */
export const openBrowser = memoizeAsync(launchBrowser);

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    timeout: TIMEOUT_MS,
    args: [...sparticuz.args.filter((flag) => !unwanted.test(flag)), ...query],
  });
}

export type Scheme = 'light' | 'dark';

/** The themes of a walk that is the same in both. */
export const themes = (usual: Scheme): readonly Scheme[] => (everyTheme ? ['light', 'dark'] : [usual]);

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Problems on a page: errors, policy violations, requests to other hosts. */
  readonly complaints: string[];
}

const expected = /status of (400|401|404|409|422)|ERR_INTERNET_DISCONNECTED/;

/** A person with a browser of their own. */
export async function visit(
  browser: Browser,
  { scheme = 'light', width = 1280 }: { scheme?: Scheme; width?: number } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 860 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) complaints.push(`requested ${request.url()}`);
  });
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() };
}

let people = 0;
export const password = 'four kittens on a shelf';

/** Signs up someone new and stays on the page that shows the first key. */
export async function signUp(page: Page, origin: string): Promise<{ email: string; key: string }> {
  people += 1;
  const email = `keeper${people}@example.com`;
  await page.goto(`${origin}/console/sign-up`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Your store is ready' }).waitFor();
  const key = (await page.locator('code').first().textContent()) ?? '';
  return { email, key };
}

/** Signs up someone new and signs in, without a page. */
export async function signUpByApi(
  { request }: BrowserContext,
  origin: string,
): Promise<{ email: string; key: string }> {
  people += 1;
  const email = `keeper${people}@example.com`;
  const api = `${origin}/console/api`;
  for (const way of ['sign-up', 'sign-in'])
    await request.post(`${api}/${way}`, { data: { email, password }, headers: { origin } });
  const { firstKey } = await (await request.post(`${api}/session`, { data: {}, headers: { origin } })).json();
  return { email, key: firstKey.key };
}

/** Opens a console page as a new, signed-in user, for walks that begin after sign-in. */
export async function joinAt(
  page: Page,
  origin: string,
  path: string,
): Promise<{ email: string; key: string }> {
  const joined = await signUpByApi(page.context(), origin);
  await page.goto(`${origin}/console${path}`);
  return joined;
}

/** Navigates within the console as its links do, without a page load. */
export async function goTo(
  page: Page,
  name: 'Overview' | 'Orders' | 'Pets' | 'Keys' | 'Webhooks' | 'Requests' | 'Sandbox' | 'Account',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
}

/** Copies with a button, on a page or a part of it. The confirmation is brief, so it is awaited beforehand. */
export async function copy(place: Page | Locator, name: string): Promise<void> {
  const isSaid = place.getByText(`Copied ${name}.`).waitFor();
  await Promise.all([isSaid, place.getByRole('button', { name: `Copy ${name}`, exact: true }).click()]);
}

export const dialog = (page: Page) => page.getByRole('dialog');
