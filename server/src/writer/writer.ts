import { tracingChannel } from 'node:diagnostics_channel';
import { type Pool, Unavailable } from '../database/engine.ts';
import { DomainError } from '../domain/domain-error.ts';
import { currentTraceContext } from '../telemetry/traceparent.ts';
import type { GroupRunner, Outcome } from './group.ts';
import type { Command, Reached, Verb } from './verb.ts';

/** The one way to change the data. A promise resolves only after its change is on disk. */
export interface Writer {
  apply<Args extends object, Result>(verb: Verb<Args, Result>, args: Args): Promise<Result>;
  /** Tells of commits, here and on other replicas; one may be missed, or told of twice. */
  onCommit(listener: OnCommit): void;
  readonly load?: WriterLoad | undefined;
  close(): Promise<void>;
}

export interface OpenWriter extends Writer {
  /** Resolves once changes can be made; rejects if they cannot be. */
  start(): Promise<void>;
  /** Tells of commits that were made elsewhere. */
  tell(reached: Reached): void;
}

interface WriterLoad {
  /** Changes that wait for their turn or are being made. */
  waiting: number;
  onGroup: (changes: number, ms: number) => void;
  readonly pool?: Pool | undefined;
}

type OnCommit = (reached: Reached, isOwn: boolean, hasDueWebhooks: boolean) => void;

interface Waiting extends PromiseWithResolvers<unknown> {
  readonly command: Command;
  readonly since: number;
}

const changes = tracingChannel('petstore.change');

const MAX_GROUP_SIZE = 256;

/** How long clients of a service wait for a change. Where nobody else waits, as in a command, there are no limits. */
export interface WriteLimits {
  /** For the groups before it. */
  readonly queueTimeoutMs: number;
  /** For one call to an embedded database. */
  readonly callTimeoutMs: number;
}

interface WriterOptions {
  readonly limits?: WriteLimits | undefined;
  readonly pool?: Pool;
}

/** Commands of one line that wait at the same moment are one group; a line has one group under way at a time. */
export function openWriter(
  groups: GroupRunner,
  lineOf: (args: object) => unknown,
  { limits, pool }: WriterOptions = {},
): OpenWriter {
  const queueTimeoutMs = limits?.queueTimeoutMs ?? Number.POSITIVE_INFINITY;
  const load: WriterLoad = { waiting: 0, onGroup: () => {}, pool };
  const listeners: OnCommit[] = [];
  const lines = new Map<unknown, { readonly queue: Waiting[]; readonly drained: Promise<void> }>();
  let isClosed = false;

  function tell(reached: Reached, isOwn = false, hasDueWebhooks = false): void {
    for (const listener of listeners) listener(reached, isOwn, hasDueWebhooks);
  }

  function openLine(key: unknown) {
    const queue: Waiting[] = [];
    const line = { queue, drained: drain(key, queue) };
    lines.set(key, line);
    return line;
  }

  async function drain(key: unknown, queue: Waiting[]): Promise<void> {
    do {
      // Everything else that arrives in this turn of the event loop joins the group.
      await new Promise(setImmediate);
      const taken = queue.splice(0, MAX_GROUP_SIZE);
      const group = taken.filter((waiting) => !rejectIfLate(waiting, queueTimeoutMs));
      if (group.length > 0) await run(group);
      load.waiting -= taken.length;
    } while (queue.length > 0);
    lines.delete(key);
  }

  async function run(group: readonly Waiting[]): Promise<void> {
    const begun = performance.now();
    try {
      if (isClosed) throw new Unavailable('the database was closed');
      const { outcomes, reached, hasDueWebhooks } = await groups.run(group.map(({ command }) => command));
      for (const [i, waiting] of group.entries()) settle(waiting, outcomes[i] as Outcome);
      tell(reached, true, hasDueWebhooks);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    load.onGroup(group.length, performance.now() - begun);
  }

  return {
    apply(verb, args) {
      const command = { verb, args, traceparent: currentTraceContext.getStore() };
      const waiting = { command, since: performance.now(), ...Promise.withResolvers<unknown>() };
      const key = lineOf(args);
      load.waiting++;
      (lines.get(key) ?? openLine(key)).queue.push(waiting);
      return changes.tracePromise(() => waiting.promise as never, { verb: verb.name });
    },
    onCommit: (listener) => void listeners.push(listener),
    tell,
    load,
    async start() {
      await groups.start?.();
    },
    async close() {
      await Promise.all(Array.from(lines.values(), ({ drained }) => drained));
      isClosed = true;
      await groups.close();
    },
  };
}

function rejectIfLate({ since, reject }: Waiting, timeoutMs: number): boolean {
  const isLate = performance.now() - since > timeoutMs;
  if (isLate) reject(new Unavailable(`the change waited in the queue for more than ${timeoutMs / 1_000} s`));
  return isLate;
}

function settle({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else if ('rejected' in outcome) reject(new DomainError(outcome.rejected, outcome.stack));
  else if ('unavailable' in outcome) reject(new Unavailable(outcome.unavailable));
  else reject(new Error(`a change failed: ${outcome.failed}`));
}
