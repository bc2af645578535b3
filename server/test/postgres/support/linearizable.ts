/** One request as its client saw it: its start, its end, and its possible effects. */
export interface Operation<State> {
  readonly label: string;
  readonly start: number;
  /** Infinity without a response: it may take effect at any time after its start, or never. */
  readonly end: number;
  /** The state after it, given its response; undefined if that response is impossible. */
  readonly step: (state: State) => State | undefined;
}

/** The end of the longest order found: in this state, none of these operations could take effect next. */
export interface Violation<State> {
  readonly state: State;
  readonly impossible: readonly Operation<State>[];
}

/**
 * Searches for a linearization: an order in which each operation takes effect between its start and its
 * end and every response is correct. Operations without a response may be left out. Uses Wing and Gong's
 * algorithm and memoizes failed states.
 */
export function findViolation<State extends string>(
  initial: State,
  operations: readonly Operation<State>[],
): Violation<State> | undefined {
  const byStart = operations.toSorted((a, b) => a.start - b.start);
  const completed = byStart.filter(({ end }) => end !== Number.POSITIVE_INFINITY);
  const withoutResponse = byStart.filter(({ end }) => end === Number.POSITIVE_INFINITY);
  const failed = new Set<string>();
  let furthest = { from: -1, state: initial, next: [] as number[] };

  /** Everything before `from` has taken effect, and so have those `ahead` of it and those without a response in `used`. */
  function search(state: State, from: number, ahead: Set<number>, used: Set<number>): boolean {
    let next = nextOf(completed, from, ahead);
    // An operation that changes nothing and is correct now can come first: that excludes no other order.
    for (let reads = unchanging(next, state); reads.length > 0; reads = unchanging(next, state)) {
      for (const read of reads) ahead.add(read);
      while (ahead.delete(from)) from++;
      next = nextOf(completed, from, ahead);
    }
    if (from === completed.length) return true;
    if (from > furthest.from) furthest = { from, state, next };
    const key = [state, from, ...[...ahead].sort(), 'and', ...[...used].sort()].join(' ');
    if (failed.has(key)) return false;
    failed.add(key);

    for (const i of next) {
      const after = completed[i]?.step(state);
      if (after === undefined) continue;
      const beyond = new Set(ahead).add(i);
      let first = from;
      while (beyond.delete(first)) first++;
      if (search(after, first, beyond, used)) return true;
    }
    const soonest = Math.min(...next.map((i) => completed[i]?.end ?? 0));
    for (const [i, { start, step }] of withoutResponse.entries()) {
      const after = used.has(i) || start > soonest ? undefined : step(state);
      if (after === undefined || after === state) continue;
      if (search(after, from, new Set(ahead), new Set(used).add(i))) return true;
    }
    return false;
  }

  function unchanging(next: readonly number[], state: State): number[] {
    return next.filter((i) => completed[i]?.step(state) === state);
  }

  if (search(initial, 0, new Set(), new Set())) return undefined;
  return {
    state: furthest.state,
    impossible: furthest.next.map((i) => completed[i] as Operation<State>),
  };
}

/** Operations that may take effect next: no other one ended before they began. */
function nextOf(
  completed: ReadonlyArray<{ start: number; end: number }>,
  from: number,
  ahead: ReadonlySet<number>,
): number[] {
  const next: number[] = [];
  let soonest = Number.POSITIVE_INFINITY;
  for (let i = from; i < completed.length; i++) {
    const { start, end } = completed[i] as { start: number; end: number };
    if (start > soonest) break;
    if (ahead.has(i)) continue;
    next.push(i);
    soonest = Math.min(soonest, end);
  }
  return next;
}
