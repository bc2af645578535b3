/** Pieces that pass, none longer than `longest`. */
interface Pieces {
  readonly passes: (piece: string) => boolean;
  readonly longest: number;
}

/**
 * Whether the text is a row of at most `most` pieces. No stretch of it is looked at twice, and none that is longer
 * than a piece, so the work grows with the text's length and no faster.
 */
export function isRowOf(text: string, { passes, longest }: Pieces, most = 4): boolean {
  /** The fewest pieces that make up the text as far as each place. */
  const fewest = [0];
  for (let end = 1; end <= text.length; end++) {
    let least = Number.POSITIVE_INFINITY;
    for (let start = Math.max(0, end - longest); start < end; start++) {
      const count = (fewest[start] as number) + 1;
      if (count <= most && count < least && passes(text.slice(start, end))) least = count;
    }
    fewest.push(least);
  }
  return (fewest[text.length] as number) <= most;
}
