import { readDeployments, readHealth } from '../api/deployments.ts';
import { at } from '../base-path.ts';
import { currentKey, readSession } from '../docs/key.ts';
import { showDeployment } from '../theme/show-deployment.ts';

/** Fills in what is only known at run time: the deployments' addresses and their health. */
async function fillIn(): Promise<void> {
  showAddress(location.origin + at('/v1'));
  const deployments = await readDeployments();
  const [here] = deployments;
  if (!here) return;
  showDeployment(here.name);
  textOf('deployment', here.name === 'staging' ? 'Staging' : 'Production');
  showAddress(here.apiBase);

  const list = document.getElementById('deployments');
  for (const deployment of deployments) {
    const health = element('span', 'health', 'Checking…');
    list?.append(
      card(
        element('strong', '', deployment.name),
        element('code', '', deployment.apiBase),
        health,
        `place ${deployment.name}`,
      ),
    );
    void readHealth(deployment.origin, deployment === here).then((state) => {
      health.textContent =
        state === 'healthy' ? 'Healthy' : state === 'unhealthy' ? 'Unhealthy' : 'Unreachable';
      health.dataset.health = state;
    });
  }
}

/** The demo data is the same in every new store. */
const RECORDED =
  '[{"id":1,"name":"Rex","category":"dog","status":"available"},{"id":2,"name":"Bella","category":"dog","status":"available"}, …';

function showAddress(apiBase: string): void {
  for (const place of document.querySelectorAll('.address')) place.textContent = apiBase;
}

function card(name: HTMLElement, address: HTMLElement, health: HTMLElement, className: string): HTMLElement {
  const place = element('div', className, '');
  place.append(name, address, health);
  return place;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function textOf(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

const copy = document.getElementById('copy');
copy?.addEventListener('click', async () => {
  const call = document.getElementById('curl')?.textContent ?? '';
  try {
    await navigator.clipboard.writeText(call);
    copy.textContent = 'Copied';
  } catch {
    const range = document.createRange();
    range.selectNodeContents(document.getElementById('curl') as HTMLElement);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected';
  }
  setTimeout(() => {
    copy.textContent = 'Copy';
  }, 2_500);
});

/** Runs the example call with the session's key. Visitors who are not signed in see a recorded response. */
async function run(): Promise<void> {
  const key = await currentKey();
  if (key === '') {
    textOf('answer', `200 ${RECORDED}`);
    textOf('answer-about', 'Recorded response of a new store. Sign up to send the request to your own.');
    return;
  }
  const response = await fetch(at('/v1/pets'), {
    headers: { authorization: `Bearer ${key}` },
    cache: 'no-store',
  });
  textOf('answer', `${response.status} ${await response.text()}`);
  textOf(
    'answer-about',
    response.ok
      ? 'Live response: the pets in your store.'
      : 'Every error looks like this. The message says what went wrong.',
  );
}

document.getElementById('run')?.addEventListener('click', () => {
  run().catch(() => textOf('answer-about', "The service isn't responding. Try again in a moment."));
});

async function showSignedIn(): Promise<void> {
  await readSession();
  if ((await currentKey()) === '') return;
  const enter = document.getElementById('enter') as HTMLAnchorElement;
  enter.textContent = 'Open console';
  enter.href = at('/console');
}

fillIn().catch(() => textOf('deployments', "Couldn't load the addresses. Reload the page to try again."));
// On any error, the page stays as it is for a new visitor.
showSignedIn().catch(() => {});
