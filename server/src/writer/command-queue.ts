import { tracingChannel } from 'node:diagnostics_channel';
import { Unavailable } from '../database/engine.ts';
import { Refusal } from '../refusal.ts';
import { currentTraceparent } from '../traceparent.ts';
import type { Outcome } from './group.ts';
import type { Command } from './verb.ts';
import type { WriterLoad } from './writer.ts';

type RunGroup = (commands: Command[]) => Promise<readonly Outcome[]>;

interface Waiting extends PromiseWithResolvers<unknown> {
  readonly command: Command;
  readonly since: number;
}

const changes = tracingChannel('petstore.change');

const MOST_IN_A_GROUP = 256;
const LONGEST_WAIT_MS = 5_000;

/** Commands that wait at the same moment go to `run` as one group, one group at a time. */
export class CommandQueue {
  readonly #run: RunGroup;
  readonly #load: WriterLoad;
  readonly #onIdle: () => void;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | undefined;

  constructor(run: RunGroup, load: WriterLoad, onIdle = () => {}) {
    this.#run = run;
    this.#load = load;
    this.#onIdle = onIdle;
  }

  submit(submitted: Command): Promise<unknown> {
    const command = { ...submitted, traceparent: currentTraceparent.getStore() };
    const waiting = { command, since: performance.now(), ...Promise.withResolvers<unknown>() };
    this.#load.waiting++;
    this.#waiting.push(waiting);
    this.#draining ??= this.#drain();
    return changes.tracePromise(() => waiting.promise, { verb: command.verb.name });
  }

  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everything else that arrives in this turn of the event loop joins the group.
      await new Promise(setImmediate);
      const taken = this.#waiting.splice(0, MOST_IN_A_GROUP);
      const group = taken.filter((waiting) => !rejectIfLate(waiting));
      if (group.length > 0) await this.#runGroup(group);
      this.#load.waiting -= taken.length;
    }
    this.#draining = undefined;
    this.#onIdle();
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const begun = performance.now();
    try {
      const outcomes = await this.#run(group.map(({ command }) => command));
      for (const [i, waiting] of group.entries()) settle(waiting, outcomes[i] as Outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#load.onGroup(group.length, performance.now() - begun);
  }
}

function rejectIfLate({ since, reject }: Waiting): boolean {
  const isLate = performance.now() - since > LONGEST_WAIT_MS;
  if (isLate) reject(new Unavailable('the change waited too long for its turn'));
  return isLate;
}

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else if ('refused' in outcome) reject(new Refusal(outcome.refused, outcome.stack));
  else if ('unavailable' in outcome) reject(new Unavailable(outcome.unavailable));
  else reject(new Error(`a change failed: ${outcome.failed}`));
}
