/** ` (Did you mean …?)` for the known word closest to a mistyped one; empty if none is close. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const [nearest] = known
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.ceil(word.length / 4))
    .sort((a, b) => a.distance - b.distance);
  return nearest ? ` (Did you mean ${nearest.word}?)` : '';
}

/** Levenshtein distance, computed row by row. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [deleted, letter] of [...from].entries()) {
    const next = [deleted + 1];
    for (const [at, other] of [...to].entries())
      next.push(
        Math.min(cost(next, at) + 1, cost(row, at + 1) + 1, cost(row, at) + Number(letter !== other)),
      );
    row = next;
  }
  return cost(row, to.length);
}

const cost = (row: readonly number[], at: number): number => row[at] ?? 0;
