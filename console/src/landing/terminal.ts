/** The longest pause between two lines. */
const MAX_PAUSE_MS = 700;
/** The recording plays this much faster. */
const SPEED = 4;

/** Shows the recorded lines one after the other, when they come into view. All are there from the start. */
export function playTerminal(terminal: HTMLElement, replay: HTMLButtonElement): void {
  const lines = [...terminal.querySelectorAll<HTMLElement>('[data-ms]')];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const play = () => {
    clearTimeout(timer);
    for (const line of lines) line.classList.add('waiting');
    show(0);
  };
  const show = (place: number) => {
    const line = lines[place];
    if (!line) return;
    line.classList.remove('waiting');
    terminal.scrollTop = line.offsetTop + line.offsetHeight - terminal.clientHeight;
    const pause = (Number(lines[place + 1]?.dataset.ms) - Number(line.dataset.ms)) / SPEED;
    timer = setTimeout(() => show(place + 1), Math.min(pause, MAX_PAUSE_MS));
  };
  replay.addEventListener('click', play);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const watching = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      watching.disconnect();
      play();
    },
    { threshold: 0.4 },
  );
  watching.observe(terminal);
}
