import { indentJson } from '../indent-json.ts';
import { currentKey } from './key.ts';
import { origins } from './page-context.ts';
import { requestsIn, type SafeRequest } from './safe-requests.ts';

const MAX_SHOWN = 3_000;

/** A key entered on a page of production; kept in memory. */
let enteredKey = '';

/** Sends the requests of a code block to staging, and shows the responses below it. */
export async function runOnStaging(button: HTMLButtonElement, code: string): Promise<void> {
  const requests = requestsIn(code);
  const card = button.closest('.code-card');
  if (!requests || !card) return;
  card.querySelector('.code-result')?.remove();
  const result = document.createElement('div');
  result.className = 'code-result';
  result.role = 'status';
  card.append(result);
  const { current, staging } = origins.get();
  const pageKey = await currentKey();
  const key = pageKey.startsWith('pst_test_') ? pageKey : enteredKey;
  if (!staging) return result.append('This service has no staging deployment.');
  if (key === '') return askForKey(result, button, current === 'staging' ? '' : staging);
  for (const request of requests) await send(result, staging, request, key);
}

async function send(result: HTMLElement, origin: string, { path, headers }: SafeRequest, key: string) {
  const status = document.createElement('strong');
  status.textContent = `GET ${path} …`;
  result.append(status);
  try {
    const response = await fetch(origin + path, {
      headers: [
        ['Authorization', `Bearer ${key}`],
        ...headers.map(([name, value]): [string, string] => [name, value]),
      ],
      cache: 'no-store',
    });
    const text = indentJson(await response.text());
    status.textContent = `GET ${path}: ${response.status} from staging`;
    const pre = document.createElement('pre');
    pre.tabIndex = 0;
    pre.textContent = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text;
    status.after(pre);
  } catch {
    status.textContent = `GET ${path}: no response from staging`;
  }
}

/** Asks for a staging key: the session of a production page has none. */
function askForKey(result: HTMLElement, button: HTMLButtonElement, staging: string): void {
  const form = document.createElement('form');
  form.autocomplete = 'off';
  form.innerHTML =
    '<label>Staging key <input class="input input-small" name="key" type="password" placeholder="pst_test_…" required></label><button class="button button-small">Run</button>';
  const link = document.createElement('a');
  link.className = 'link';
  link.href = `${staging}/console/sign-up`;
  link.textContent = 'Get one';
  form.append(link);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    enteredKey = String(new FormData(form).get('key')).trim();
    button.click();
  });
  result.replaceChildren(form);
  form.querySelector('input')?.focus();
}
