/** The longest pause between two lines. */
const MAX_PAUSE_MS = 700;
/** How many times faster than recorded. */
const SPEED = 4;

/** Replays the recorded lines one by one when they come into view. Without animation, all are visible from the start. */
export function playTerminal(terminal: HTMLElement, replay: HTMLButtonElement): void {
  const lines = [...terminal.querySelectorAll<HTMLElement>('[data-ms]')];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const play = () => {
    clearTimeout(timer);
    for (const line of lines) line.classList.add('waiting');
    show(0);
  };
  const show = (index: number) => {
    const line = lines[index];
    if (!line) return;
    line.classList.remove('waiting');
    terminal.scrollTop = line.offsetTop + line.offsetHeight - terminal.clientHeight;
    const pause = (Number(lines[index + 1]?.dataset.ms) - Number(line.dataset.ms)) / SPEED;
    timer = setTimeout(() => show(index + 1), Math.min(pause, MAX_PAUSE_MS));
  };
  replay.addEventListener('click', play);
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      play();
    },
    { threshold: 0.4 },
  );
  observer.observe(terminal);
}
