import { Unavailable } from '../database/engine.ts';
import { Refusal } from '../refusal.ts';
import type { Outcome } from './group.ts';
import { type Command, storeOf } from './verbs.ts';

interface Waiting {
  readonly command: Command;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const MOST_IN_A_GROUP = 256;
/** Answering them takes some 3 ms. */
const MOST_TOLD_IN_A_TURN = 64;

/** Changes that wait at the same moment go to `run` as one group, one group at a time. */
export class CommandQueue {
  readonly #run: (commands: Command[]) => Promise<Outcome[]>;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(run: (commands: Command[]) => Promise<Outcome[]>) {
    this.#run = run;
  }

  submit(command: Command): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ command, resolve, reject });
    this.#draining ??= this.#drain();
    return promise;
  }

  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Lets everything that arrives in this turn of the event loop join the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#groupLength());
      try {
        // The next group is made while this one is told.
        void tell(group, await this.#run(group.map(({ command }) => command)));
      } catch (error) {
        for (const { reject } of group) reject(error as Error);
      }
    }
    this.#draining = undefined;
  }

  /**
   * A group locks its stores in order before anything else, so that no two groups wait for each other. A change
   * without a store takes its locks on the way, and goes alone: among others, their order would be anyone's guess.
   */
  #groupLength(): number {
    const alone = this.#waiting.findIndex(({ command }) => storeOf(command) === undefined);
    if (alone === 0) return 1;
    return alone === -1 ? MOST_IN_A_GROUP : Math.min(alone, MOST_IN_A_GROUP);
  }
}

/** Whoever else asks has a turn of the event loop in between. */
async function tell(group: readonly Waiting[], outcomes: readonly Outcome[]): Promise<void> {
  for (const [i, waiting] of group.entries()) {
    if (i > 0 && i % MOST_TOLD_IN_A_TURN === 0) await new Promise(setImmediate);
    settle(waiting, outcomes[i] as Outcome);
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else if ('refused' in outcome) reject(new Refusal(outcome.refused));
  else if ('unavailable' in outcome) reject(new Unavailable(outcome.unavailable));
  else reject(new Error(`a change failed: ${outcome.failed}`));
}
