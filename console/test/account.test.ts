import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { violations } from './support/axe.ts';
import { dialog, goTo, joinAt, password, signUpByApi, type Visit, visit } from './support/browser.ts';
import { openConsole } from './support/open-console.ts';

const running = openConsole();
const sessionStatus = async (page: Page) =>
  (await page.context().request.get(`${running.program.production}/console/api/session`)).status();

interface Member extends AsyncDisposable {
  readonly email: string;
  readonly key: string;
  /** Where they signed up, on the page of their account. */
  readonly here: Page;
  /** Where else they are signed in. */
  readonly elsewhere: Page;
}

/** A user who is signed in with two browsers. */
async function joinTwice(signInElsewhere = signInWithoutPage): Promise<Member> {
  const visits: Visit[] = [await visit(running.browser), await visit(running.browser)];
  const [here, elsewhere] = visits.map(({ page }) => page) as [Page, Page];
  const { email, key } = await signUpByApi(here.context(), running.program.production);
  await signInElsewhere(elsewhere, email);
  await here.goto(`${running.program.production}/console/account`);
  await here.getByRole('button', { name: 'End session from 127.0.0.1' }).waitFor();
  return {
    email,
    key,
    here,
    elsewhere,
    async [Symbol.asyncDispose]() {
      for (const visit of visits) await visit[Symbol.asyncDispose]();
    },
  };
}

async function signInWithoutPage(page: Page, email: string): Promise<void> {
  const origin = running.program.production;
  const data = { email, password };
  await page.context().request.post(`${origin}/console/api/sign-in`, { data, headers: { origin } });
}

async function signInAndLookAtOrders(page: Page, email: string): Promise<void> {
  await signIn(page, email, password);
  await goTo(page, 'Orders');
  await page.getByRole('row', { name: /Order 40 / }).waitFor();
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.goto(`${running.program.production}/console/sign-in`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('a changed password ends every other session and is required from then on', async () => {
  await using member = await joinTwice(signInAndLookAtOrders);
  const { here, elsewhere } = member;
  const next = 'five puppies in a basket';
  const change = here.getByRole('region', { name: 'Password' });
  await change.getByLabel('Current password').fill('not that one, sorry');
  await change.getByLabel('New password').fill(next);
  await change.getByRole('button', { name: 'Change password' }).click();
  await change.getByText('Incorrect password.').waitFor();
  expect(await sessionStatus(elsewhere)).toBe(200);
  expect(await violations(here)).toEqual([]);

  await change.getByLabel('Current password').fill(password);
  await change.getByRole('button', { name: 'Change password' }).click();
  await here.getByText('Your password was changed').waitFor();
  expect(await change.getByLabel('New password').inputValue()).toBe('');
  const sessions = here.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBe(1);
  expect([await sessionStatus(here), await sessionStatus(elsewhere)]).toEqual([200, 401]);
  await goTo(here, 'Orders');
  await here.getByRole('row', { name: /Order 40 / }).waitFor();

  await dialog(elsewhere).getByLabel('Password').fill(password);
  await dialog(elsewhere).getByRole('button', { name: 'Sign in' }).click();
  await dialog(elsewhere).getByText('Incorrect password.').waitFor();
  await dialog(elsewhere).getByLabel('Password').fill(next);
  await dialog(elsewhere).getByRole('button', { name: 'Sign in' }).click();
  await dialog(elsewhere).waitFor({ state: 'detached' });
  expect(await sessionStatus(elsewhere)).toBe(200);
});

slowIt('signing out everywhere ends every session, including this one', async () => {
  await using member = await joinTwice(signInAndLookAtOrders);
  const { here, elsewhere, key } = member;
  await here.getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect([await sessionStatus(here), await sessionStatus(elsewhere)]).toEqual([204, 401]);
  await dialog(elsewhere).getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await dialog(elsewhere).getByRole('button', { name: 'Use another account' }).click();
  await elsewhere.getByRole('heading', { name: 'Welcome back' }).waitFor();
  // Keys are independent of sessions: programs keep working.
  expect(await apiStatus(key)).toBe(200);
});

it('a deleted account is gone, with its keys and its sign-in', async () => {
  await using member = await joinTwice();
  const { here, elsewhere, email, key } = member;
  await here.getByRole('button', { name: 'Delete account' }).click();
  await dialog(here).getByText(email).waitFor();
  expect(await violations(here, { isNew: true })).toEqual([]);
  await dialog(here).getByLabel('Confirm your password').fill('not that one, sorry');
  await dialog(here).getByRole('button', { name: 'Delete account' }).click();
  await dialog(here).getByText('Incorrect password.').waitFor();
  await dialog(here).getByRole('button', { name: 'Keep account' }).click();
  expect(await apiStatus(key)).toBe(200);

  // A large store is erased for a while, in which nothing else covers the dialog.
  const isRejected = here.waitForResponse(
    (response) => response.status() === 401 && /api.(token|events)/.test(response.url()),
  );
  await here.route('**/console/api/account', async (route) => {
    const response = await route.fetch();
    await (await isRejected).finished();
    await here.evaluate(() => new Promise((shown) => setTimeout(() => requestAnimationFrame(shown))));
    expect(await here.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0);
    await route.fulfill({ response });
  });
  await here.getByRole('button', { name: 'Delete account' }).click();
  await dialog(here).getByLabel('Confirm your password').fill(password);
  await dialog(here).getByRole('button', { name: 'Delete account' }).click();
  await here.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect([await sessionStatus(here), await sessionStatus(elsewhere)]).toEqual([204, 401]);
  expect(await apiStatus(key)).toBe(401);
  await signIn(here, email, password);
  await here.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
});

slowIt('a tab whose browser has signed in to another account switches to it with a notice', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const origin = running.program.production;
  const bob = await joinAt(page, origin, '/account');
  await page.getByText(bob.email).first().waitFor();
  // The page reloads when it notices the other session, which would interrupt the navigation.
  await page.goto('about:blank');
  const alice = await joinAt(page, origin, '/account');
  await page.getByText(alice.email).first().waitFor();
  await context.request.post(`${origin}/console/api/sign-in`, {
    data: { email: bob.email, password },
    headers: { origin },
  });
  await goTo(page, 'Pets');
  await page.getByText(bob.email).first().waitFor();
  expect(await page.getByText(alice.email).count()).toBe(0);
});

slowIt('a tab never changes an account that another tab signed in to', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.production;
  const alice = await joinAt(page, origin, '/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByText(alice.email).waitFor();
  await dialog(page).getByLabel('Confirm your password').fill(password);
  // Only the button tells the page about the change.
  await page.route(/console\/api\/(token|events|sessions)/, (route) => route.abort());
  const other = await page.context().newPage();
  const bob = await joinAt(other, origin, '/orders');
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await page.getByText(bob.email).first().waitFor();
  expect(await dialog(page).count()).toBe(0);
  expect([await apiStatus(alice.key), await apiStatus(bob.key)]).toEqual([200, 200]);
});

slowIt('the reference never sends requests to a store that another tab signed in to', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const origin = running.program.production;
  const alice = await joinAt(page, origin, '/account');
  await page.goto(`${origin}/docs#cancelOrder`);
  const tried = page.getByRole('region', { name: 'Try cancelOrder' });
  await tried.getByText(`session key for ${alice.email}`).waitFor();
  const other = await page.context().newPage();
  const bob = await joinAt(other, origin, '/orders');
  await tried.getByRole('button', { name: 'Send' }).click();
  await tried.getByText(`session key for ${bob.email}`).waitFor();
  expect(await ordersOf(bob.key)).toHaveLength(40);
});

async function ordersOf(key: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${running.program.production}/v1/store/orders`, { headers })).json();
}

slowIt('a late response for the previous user does not end the next user’s session', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  const { email } = await joinAt(page, running.program.production, '/account');
  const requested = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const first = page.waitForResponse('**/console/api/events**');
  await page.reload();
  await first;
  await page.route(
    '**/console/api/events**',
    async (route) => {
      requested.resolve();
      await left.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await requested.promise;
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  const responded = page.waitForResponse('**/console/api/events**');
  left.resolve();
  await (await responded).finished();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: /waiting to ship/ }).waitFor();
  expect(await dialog(page).count()).toBe(0);
});

slowIt('page content survives a sign-in followed by a server error', async () => {
  await using visitor = await visit(running.browser);
  const { page, context } = visitor;
  const origin = running.program.production;
  const { email } = await joinAt(page, origin, '/account');
  const typed = page.getByRole('region', { name: 'Password' }).getByLabel('New password');
  await typed.fill('five puppies');
  await context.request.post(`${origin}/console/api/sign-out`, { data: {}, headers: { origin } });
  await dialog(page).getByLabel('Password').fill(password);
  await page.route('**/console/api/session', (route) => route.fulfill({ status: 403, body: '' }));
  const stumbled = page.waitForResponse('**/console/api/session');
  await dialog(page).getByRole('button', { name: 'Sign in' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await (await stumbled).finished();
  await page.evaluate(() => new Promise((shown) => setTimeout(() => requestAnimationFrame(shown))));
  await page.getByText(email).first().waitFor();
  expect(await typed.inputValue()).toBe('five puppies');
});

async function apiStatus(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${running.program.production}/v1/pets`, { headers })).status;
}

it('lists sessions, ends one of them, and shows account activity', async () => {
  await using member = await joinTwice();
  const { here, elsewhere } = member;
  const sessions = here.getByRole('region', { name: 'Sessions' });
  const listed = sessions.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
  await listed.nth(1).waitFor();
  expect(await listed.count()).toBe(2);
  await listed.filter({ hasText: 'Chrome on Linux · this browser' }).waitFor();
  await sessions.getByRole('button', { name: 'End session from 127.0.0.1' }).click();
  await here.getByText('Session from 127.0.0.1 ended').waitFor();
  await expect.poll(() => listed.count()).toBe(1);
  expect([await sessionStatus(here), await sessionStatus(elsewhere)]).toEqual([200, 401]);

  await here.reload();
  const activity = here.getByRole('list', { name: 'Account activity' }).getByRole('listitem');
  await activity.filter({ hasText: 'Session ended' }).waitFor();
  const output = (await activity.allTextContents()).join('\n');
  for (const text of ['Account created', 'Signed in', `Key created …${member.key.slice(-4)}`, '127.0.0.1']) {
    expect(output).toContain(text);
  }
  expect(await violations(here)).toEqual([]);
  await here.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(here)).toEqual([]);
});

slowIt(
  'the calendar keeps the keyboard focus on days that are too early, and does not choose them',
  async () => {
    await using person = await visit(running.browser);
    const { page } = person;
    await joinAt(page, running.program.production, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog(page).getByLabel('Expiration').selectOption('Custom date');
    await dialog(page).getByRole('button', { name: 'Open calendar' }).click();
    const focused = page.locator('.calendar-day:focus');
    await focused.waitFor();
    const today = await focused.getAttribute('aria-label');
    await page.keyboard.press('PageUp');
    await expect.poll(() => focused.getAttribute('aria-label')).not.toBe(today);
    expect(await focused.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Enter');
    expect(await dialog(page).getByLabel('Last valid day').inputValue()).toBe('');
    for (const key of ['PageDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => dialog(page).getByLabel('Last valid day').inputValue()).toMatch(/^\d{4}-/);
  },
);

it('a read-only key is created with a custom expiry, and the list shows both', async () => {
  await using person = await visit(running.browser);
  const { page } = person;
  await joinAt(page, running.program.production, '/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog(page).getByLabel('Name').fill('report');
  await dialog(page).getByLabel('Permissions').selectOption('Read only');
  await dialog(page).getByLabel('Expiration').selectOption('Custom date');
  await dialog(page).getByLabel('Last valid day').fill('2031-05-04');
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Create key' }).click();
  const key = (await dialog(page).locator('code').first().textContent()) ?? '';
  await dialog(page).getByRole('button', { name: "I've saved it" }).click();
  const row = page
    .getByRole('list', { name: 'Active keys' })
    .getByRole('listitem')
    .filter({ hasText: 'report' });
  await row.getByText('Read only').waitFor();
  await row.getByText('4 May 2031').waitFor();
  const status = await page.evaluate(
    async (secret) =>
      (
        await fetch('/v1/store/orders/2', {
          method: 'DELETE',
          headers: { authorization: `Bearer ${secret}` },
        })
      ).status,
    key,
  );
  expect(status).toBe(403);
  expect(person.complaints.filter((line) => !/status of 403/.test(line))).toEqual([]);
});

slowIt('an account deletion whose response was lost is reported as done', async () => {
  await using visitor = await visit(running.browser);
  const { page } = visitor;
  await joinAt(page, running.program.production, '/account');
  await page.route('**/console/api/account', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Delete account' }).click();
  await dialog(page).getByLabel('Confirm your password').fill(password);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await page.getByText('Your account was deleted').waitFor();
});
