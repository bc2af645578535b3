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
export function commandQueue(run: RunGroup, load: WriterLoad, onIdle = () => {}) {
  const queue: Waiting[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Everything else that arrives in this turn of the event loop joins the group.
      await new Promise(setImmediate);
      const taken = queue.splice(0, MOST_IN_A_GROUP);
      const group = taken.filter((waiting) => !rejectIfLate(waiting));
      if (group.length > 0) await runGroup(group);
      load.waiting -= taken.length;
    }
    draining = undefined;
    onIdle();
  }

  async function runGroup(group: readonly Waiting[]): Promise<void> {
    const begun = performance.now();
    try {
      const outcomes = await run(group.map(({ command }) => command));
      for (const [i, waiting] of group.entries()) settle(waiting, outcomes[i] as Outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    load.onGroup(group.length, performance.now() - begun);
  }

  return {
    submit(verb: Command['verb'], args: object): Promise<unknown> {
      const command = { verb, args, traceparent: currentTraceparent.getStore() };
      const waiting = { command, since: performance.now(), ...Promise.withResolvers<unknown>() };
      load.waiting++;
      queue.push(waiting);
      draining ??= drain();
      return changes.tracePromise(() => waiting.promise, { verb: verb.name });
    },
    idle: async () => draining,
  };
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
