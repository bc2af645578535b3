const focusable =
  'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex="0"], h1[tabindex]';

/** The last focused element and its ancestors, each with the index of the child on the path. */
let path: ReadonlyArray<readonly [ancestor: Element, index: number]> = [];

/** When the focused element is removed, such as the button of a finished action, moves the focus to a neighbour. */
export function keepFocusNear(root: HTMLElement): void {
  let lastInDialog: Element | undefined;
  root.addEventListener('focusin', ({ target }) => {
    // A dialog is removed as a whole, so the path keeps the element that opened it.
    if ((target as Element).closest('dialog')) lastInDialog = target as Element;
    else path = pathOf(target as Element);
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body) return;
    const dialog = document.querySelector('dialog[open]');
    if (dialog) {
      const next = dialog.querySelector<HTMLElement>('[data-autofocus]:enabled') ?? firstFocusable(dialog);
      if (lastInDialog?.isConnected === false) next?.focus({ preventScroll: true });
      return;
    }
    const at = path.findIndex(([ancestor]) => ancestor.isConnected);
    // The element still exists: the user moved the focus away.
    if (at <= 0) return;
    for (const [ancestor, index] of path.slice(at)) {
      const near = [ancestor.children[index], ancestor.children[index - 1], ancestor];
      const next = near.map((element) => element && firstFocusable(element)).find((found) => found);
      if (!next) continue;
      next.focus({ preventScroll: true });
      return;
    }
  }).observe(root, { childList: true, subtree: true });
}

function pathOf(element: Element): Array<[Element, number]> {
  const found: Array<[Element, number]> = [[element, 0]];
  for (
    let child = element, parent = child.parentElement;
    parent;
    child = parent, parent = child.parentElement
  ) {
    found.push([parent, [...parent.children].indexOf(child)]);
  }
  return found;
}

function firstFocusable(element: Element): HTMLElement | undefined {
  const all = [element, ...element.querySelectorAll(focusable)].filter((one) => one.matches(focusable));
  return all.find((one): one is HTMLElement => one instanceof HTMLElement && one.checkVisibility());
}
