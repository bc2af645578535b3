/** In narrow windows the list of guides scrolls sideways: centers the current guide, again once the fonts have set its width. */
const link = document.querySelector<HTMLElement>('.guide-list [aria-current]');
const row = link?.closest('ul');
const center = () => {
  if (link && row)
    row.scrollLeft = link.offsetLeft - row.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
};

center();
void document.fonts.ready.then(center);

export {};
