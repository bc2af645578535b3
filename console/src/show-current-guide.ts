/** In narrow windows the list of guides scrolls sideways: scrolls the current guide into view. */
const link = document.querySelector<HTMLElement>('.guide-list [aria-current]');
const row = link?.closest('ul');
if (link && row) row.scrollLeft = link.offsetLeft - row.offsetLeft;

export {};
