import type { CommandStreams, FlagValues } from '../config/flags.ts';

export interface Progress {
  add(done: number, what: string): void;
  end(): void;
}

const BAR_WIDTH = 30;
const LOG_INTERVAL_MS = 5_000;

/** A progress bar in a terminal, periodic lines elsewhere, nothing with --json. */
export function showProgress(
  { json }: FlagValues,
  verb: string,
  total: number,
  stderr: CommandStreams['stderr'],
  unit = 'rows',
): Progress {
  if (json === true) return { add() {}, end() {} };
  const started = performance.now();
  let done = 0;
  let drawnAt = started;
  const draw = (what: string) => {
    drawnAt = performance.now();
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const filled = Math.min(BAR_WIDTH, Math.floor((percent / 100) * BAR_WIDTH));
    const bar = stderr.isTTY ? `[${'#'.repeat(filled).padEnd(BAR_WIDTH, '-')}] ` : '';
    const seconds = ((drawnAt - started) / 1000).toFixed(1);
    const line = `${verb} ${bar}${percent}%  ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}  ${seconds} s${what && `  ${what}`}`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  return {
    add(more, what) {
      done += more;
      if (performance.now() - drawnAt >= (stderr.isTTY ? 100 : LOG_INTERVAL_MS)) draw(what);
    },
    end() {
      draw('');
      if (stderr.isTTY) stderr.write('\n');
    },
  };
}
