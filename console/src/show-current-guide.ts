/** In a narrow window the guides stand in a row that scrolls: the one on show is brought into sight. */
const link = document.querySelector<HTMLElement>('.guide-list [aria-current]');
const row = link?.closest('ul');
if (link && row) row.scrollLeft = link.offsetLeft - row.offsetLeft;

export {};
