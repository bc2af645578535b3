import { MEMORY_FACTOR, MOST_HEALTHZ_MS, type Row } from './run-scene.ts';

const verdict = ({ missed }: Row) => (missed.length === 0 ? 'HELD' : `MISSED: ${missed.join('; ')}`);
const megabytes = (value: number) => `${Math.round(value)} MB`;
const milliseconds = (value: number) => `${Math.round(value)} ms`;

/** One attack, for whoever watches. */
export function writeRow(row: Row): string {
  const { name, setting, idle, peak, allowed, quiet, healthz, turn, outcome } = row;
  return [
    `${name} (${setting})`,
    `  memory    ${megabytes(idle)} idle, ${megabytes(peak)} at the most, ${megabytes(allowed)} allowed`,
    `  /healthz  ${milliseconds(healthz)} at the worst (${milliseconds(quiet)} while nothing happened); longest turn ${turn === 0 ? 'under 50 ms' : milliseconds(turn)}`,
    `  outcome   ${outcome}`,
    `  ${verdict(row)}\n`,
  ].join('\n');
}

/** All attacks as a page of the docs. */
export function writePage(rows: readonly Row[], machine: string): string {
  const lines = rows.map((row) => {
    const turn = row.turn === 0 ? '< 50 ms' : milliseconds(row.turn);
    const cells = [
      row.name,
      row.setting,
      megabytes(row.idle),
      megabytes(row.peak),
      milliseconds(row.quiet),
      milliseconds(row.healthz),
      turn,
      row.outcome,
      verdict(row),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `# Attacks that were tried

Written by \`npm run attack -- --write\`: every attack on a program of its own, from the same machine, bounded in number
and time; first on one process that listens on loopback, then at twice the size on two workers that listen beyond it. It holds if memory stays within ${MEMORY_FACTOR} × idle and what is documented for that kind of work, /healthz is
answered within ${MOST_HEALTHZ_MS} ms all the while, the limit that the attack is about holds, and the program stops when it is told to. *Quiet* is the worst /healthz
before the attack began: what the machine itself adds. A *turn* is the longest that one piece of work held the event
loop, in milliseconds of its own work.

Other programs at work on the same machine add to /healthz what they add to everything; the longest turn counts only the
work of the program itself.

Machine: ${machine}.

| attack | on | idle | at the most | quiet | worst /healthz | longest turn | what became of it | verdict |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
