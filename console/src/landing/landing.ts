import recorded from 'petstore:recorded';
import { readDeployments, readHealth } from '../api/deployments.ts';
import { publicPath } from '../base-path.ts';
import { currentKey, readSession } from '../docs/key.ts';
import { showDeployment } from '../theme/show-deployment.ts';
import { playTerminal } from './terminal.ts';

/** Fills in what is only known at run time: the deployments' addresses and their health. */
async function fillIn(): Promise<void> {
  showAddress(location.origin + publicPath('/v1'));
  const deployments = await readDeployments();
  const [current] = deployments;
  if (!current) return;
  showDeployment(current.name);
  setText('deployment', current.name === 'staging' ? 'Staging' : 'Production');
  showAddress(current.apiBase);

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
    void readHealth(deployment.origin, deployment === current).then((state) => {
      health.textContent =
        state === 'healthy' ? 'Healthy' : state === 'unhealthy' ? 'Unhealthy' : 'Unreachable';
      health.dataset.health = state;
    });
  }
}

function showAddress(apiBase: string): void {
  for (const place of document.querySelectorAll('.address')) place.textContent = apiBase;
}

function card(name: HTMLElement, address: HTMLElement, health: HTMLElement, className: string): HTMLElement {
  const place = element('div', className, '');
  place.append(name, address, health);
  return place;
}

function element(tag: string, className: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

function setText(id: string, text: string): void {
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

interface Example {
  readonly method: string;
  /** The path below the list of orders. */
  readonly order: string;
  readonly about: string;
  readonly response: string;
}

const examples: Readonly<Record<string, Example>> = {
  list: {
    method: '',
    order: '',
    about: 'A new store has 40 orders, listed in one array.',
    response: recorded.list,
  },
  cancel: {
    method: '-i -X DELETE ',
    order: '/40',
    about: 'Order 40 of a new store is pending, so it is cancelled. Its units go back in stock.',
    response: recorded.cancel,
  },
  shipped: {
    method: '-i -X DELETE ',
    order: '/39',
    about: 'Order 39 of a new store has shipped, and shipping cannot be reversed.',
    response: recorded.shipped,
  },
};
let shown = examples.list as Example;

document.querySelector('.call-choice')?.addEventListener('change', ({ target }) => {
  shown = examples[(target as HTMLInputElement).value] as Example;
  setText('method', shown.method);
  setText('order', shown.order);
  setText('answer', shown.response);
  setText('answer-about', shown.about);
});

/** Lists orders with the session's key. Without a key, and for cancellations, shows the recorded response of a new store. */
async function run(): Promise<void> {
  const key = await currentKey();
  setText('answer', '');
  if (key === '' || shown.method !== '') {
    setText('answer', shown.response);
    const isVisitor = key === '';
    setText(
      'answer-about',
      `Recorded response from a new store. ${isVisitor ? 'Sign up to send the request to your own.' : 'Your own orders stay as they are.'}`,
    );
    return;
  }
  const response = await fetch(publicPath('/v1/store/orders'), {
    headers: { authorization: `Bearer ${key}` },
    cache: 'no-store',
  });
  const text = await response.text();
  setText(
    'answer',
    `${response.status}\n${text.slice(0, MAX_SHOWN).replaceAll('},{', '},\n {')}${text.length > MAX_SHOWN ? ' …' : ''}`,
  );
  setText(
    'answer-about',
    response.ok
      ? 'Live response: the orders in your store.'
      : 'Every error looks like this. The message says what went wrong.',
  );
}

const MAX_SHOWN = 2_000;

document.getElementById('run')?.addEventListener('click', () => {
  run().catch(() => setText('answer-about', "The service isn't responding. Try again in a moment."));
});

async function showSignedIn(): Promise<void> {
  await readSession();
  if ((await currentKey()) === '') return;
  const enter = document.getElementById('enter') as HTMLAnchorElement;
  enter.textContent = 'Open console';
  enter.href = publicPath('/console');
}

fillIn().catch(() => setText('deployments', "Couldn't load the base URLs. Reload the page to try again."));
// On any error, the page stays as it is for a new visitor.
showSignedIn().catch(() => {});

const terminal = document.getElementById('terminal');
if (terminal) playTerminal(terminal, document.getElementById('replay') as HTMLButtonElement);
