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

/** Turns of the event loop in which whoever was answered, and asks again at once, is read and let in. */
const TURNS_TO_RETURN = 3;

/** Changes that wait at the same moment go to `run` as one group, one group at a time. */
export class CommandQueue {
  readonly #run: (commands: Command[]) => Promise<Outcome[]>;
  readonly #beside: boolean;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  /**
   * Where groups are run `beside` requests, on another core or elsewhere, the next one is under way while one is told. On
   * one core that gains nothing, and splits those who ask again and again into two groups, of twice the commits.
   */
  constructor(run: (commands: Command[]) => Promise<Outcome[]>, { beside = true } = {}) {
    this.#run = run;
    this.#beside = beside;
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
        const told = tell(group, await this.#run(group.map(({ command }) => command)));
        if (this.#beside) continue;
        await told;
        await this.#gather(group.length);
      } catch (error) {
        for (const { reject } of group) reject(error as Error);
      }
    }
    this.#draining = undefined;
  }

  /** Waits for as many as the last group had. */
  async #gather(enough: number): Promise<void> {
    for (let turn = 0; turn < TURNS_TO_RETURN; turn++) {
      if (this.#waiting.length === 0 || this.#waiting.length >= enough) return;
      await new Promise(setImmediate);
    }
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
