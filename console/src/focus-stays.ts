const focusable =
  'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex="0"], h1[tabindex]';

/** The last focused element and its ancestors, each with the index of the child on the path. */
let path: ReadonlyArray<readonly [around: Element, place: number]> = [];

/** When the focused element is removed, such as the button of a finished action, moves the focus to a neighbour. */
export function keepFocusNear(root: HTMLElement): void {
  let inDialog: Element | undefined;
  root.addEventListener('focusin', ({ target }) => {
    // A dialog is removed as a whole, so the path keeps the element that opened it.
    if ((target as Element).closest('dialog')) inDialog = target as Element;
    else path = pathOf(target as Element);
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    const dialog = document.querySelector('dialog[open]');
    if (dialog) {
      const next = dialog.querySelector<HTMLElement>('[data-autofocus]:enabled') ?? firstIn(dialog);
      if (inDialog?.isConnected === false) next?.focus({ preventScroll: true });
      return;
    }
    const at = path.findIndex(([around]) => around.isConnected);
    // The element still exists: the user moved the focus away.
    if (at <= 0) return;
    for (const [around, place] of path.slice(at)) {
      const near = [around.children[place], around.children[place - 1], around];
      const next = near.map((element) => element && firstIn(element)).find((found) => found);
      if (!next) continue;
      next.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true });
}

function pathOf(element: Element): Array<[Element, number]> {
  const found: Array<[Element, number]> = [[element, 0]];
  for (
    let inner = element, around = inner.parentElement;
    around;
    inner = around, around = inner.parentElement
  ) {
    found.push([around, [...around.children].indexOf(inner)]);
  }
  return found;
}

function firstIn(element: Element): HTMLElement | undefined {
  const all = [element, ...element.querySelectorAll(focusable)].filter((one) => one.matches(focusable));
  return all.find((one): one is HTMLElement => one instanceof HTMLElement && one.checkVisibility());
}
