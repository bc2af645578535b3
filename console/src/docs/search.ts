import { basePath, publicPath } from '../base-path.ts';
import type { Entry } from './search-entry.ts';

const MAX_FOUND = 20;

/**
 * Lower is better. Each word adds the position of the first field that contains it: operation, heading, page, text. It adds
 * half a point less if the field starts with it, and nothing if it is the whole field. Undefined if a word is missing.
 */
function rank({ page, heading, name = '', text }: Entry, words: readonly string[]): number | undefined {
  const places = [name, heading, page, text].map((place) => place.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const place = places.findIndex((one) => one.includes(word));
    if (place < 0) return undefined;
    sum += places[place] === word ? 0 : place + 1 - (places[place]?.startsWith(word) ? 0.5 : 0);
  }
  return sum;
}

/** A combobox over operations and guides; the index is fetched at the first focus. */
export function setUpSearch(input: HTMLInputElement): void {
  const list = document.getElementById('found') as HTMLElement;
  let index: Promise<readonly Entry[]> | undefined;
  let chosen = -1;
  const load = () => {
    index ??= fetch(publicPath(input.dataset.index ?? '')).then((response) => response.json());
    return index;
  };
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role=option]')];
  const choose = (place: number) => {
    const all = options();
    chosen = all.length === 0 ? -1 : (place + all.length) % all.length;
    for (const [index, option] of all.entries())
      option.setAttribute('aria-selected', String(index === chosen));
    all[chosen]?.scrollIntoView({ block: 'nearest' });
    if (all[chosen]) input.setAttribute('aria-activedescendant', `found-${chosen}`);
    else input.removeAttribute('aria-activedescendant');
  };
  const show = (isShown: boolean) => {
    list.hidden = !isShown;
    input.setAttribute('aria-expanded', String(isShown));
    if (!isShown) choose(-1);
  };

  /** Of entries with the same rank, those of the open version come first. */
  const currentDocs = /\/docs\/v\d/.exec(location.pathname)?.[0] ?? '/docs/';
  const isCurrentDocs = ({ path }: Entry) => Number(path.startsWith(currentDocs));

  const update = async () => {
    const typed = input.value;
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show(false);
    const entries = await load().catch(() => undefined);
    // Typing went on while the index was fetched.
    if (typed !== input.value) return;
    if (!entries) {
      index = undefined;
      list.replaceChildren(note("Couldn't load the search. Try again in a moment."));
      return show(true);
    }
    const found = entries
      .map((entry) => ({ entry, rank: rank(entry, words) }))
      .filter((one): one is { entry: Entry; rank: number } => one.rank !== undefined)
      .sort((a, b) => a.rank - b.rank || isCurrentDocs(b.entry) - isCurrentDocs(a.entry))
      .slice(0, MAX_FOUND);
    list.replaceChildren(...found.map(({ entry }, at) => optionFor(entry, at, words)));
    if (found.length === 0) list.append(note(`No results for “${typed}”.`));
    show(true);
    choose(found.length === 0 ? -1 : 0);
  };

  input.addEventListener('focus', () => void load().catch(() => {}));
  input.addEventListener('input', update);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !list.hidden) {
      event.preventDefault();
      choose(chosen + step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      options()[chosen]?.click();
    } else if (event.key === 'Escape') show(false);
  });
  list.addEventListener('click', () => {
    input.value = '';
    show(false);
    input.blur();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, textarea, select');
    const hasModifier = event.ctrlKey || event.metaKey;
    const isSlash = event.key === '/' && !isTyping && !hasModifier && !event.altKey;
    // As in the console.
    const isPalette = event.key.toLowerCase() === 'k' && hasModifier;
    if (!isSlash && !isPalette) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target as Element).closest('.docs-search')) show(false);
  });
}

function note(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

function optionFor(
  { path, page, heading, name, text }: Entry,
  index: number,
  words: readonly string[],
): HTMLElement {
  const option = document.createElement('a');
  option.href = basePath + path;
  option.id = `found-${index}`;
  option.role = 'option';
  option.tabIndex = -1;
  const [title, from, excerpt] = ['strong', 'span', 'small'].map((tag) => document.createElement(tag));
  title?.append(heading);
  if (name) title?.append(Object.assign(document.createElement('code'), { textContent: name }));
  from?.append(page);
  excerpt?.append(excerptOf(text, words[0] ?? ''));
  option.append(...[title, from, excerpt].filter((part) => part !== undefined));
  return option;
}

const CONTEXT_LENGTH = 30;
const LENGTH = 110;

function excerptOf(text: string, word: string): string {
  const start = Math.max(0, text.toLowerCase().indexOf(word) - CONTEXT_LENGTH);
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + LENGTH)}${text.length > from + LENGTH ? ' …' : ''}`;
}
