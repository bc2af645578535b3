import { tracingChannel } from 'node:diagnostics_channel';
import { type PoolUsage, Unavailable } from '../database/engine.ts';
import { DomainError } from '../domain/domain-error.ts';
import { currentTraceContext } from '../telemetry/traceparent.ts';
import type { GroupRunner, Outcome } from './group.ts';
import type { Command, NewRevisions, Verb } from './verb.ts';

/** All changes go through the writer. `apply` resolves only after the change is on disk. */
export interface Writer {
  apply<Args extends object, Result>(verb: Verb<Args, Result>, args: Args): Promise<Result>;
  /** Notifies of commits, local and on other replicas. Best effort: notifications may be lost or repeated. */
  onCommit(listener: OnCommit): void;
  readonly load?: WriterLoad | undefined;
  close(): Promise<void>;
}

export interface OpenWriter extends Writer {
  /** Resolves once the writer is ready; rejects if the database is not writable. */
  start(): Promise<void>;
  /** Notifies listeners of commits on other replicas. */
  notify(revisions: NewRevisions): void;
}

interface WriterLoad {
  /** Changes that are queued or in progress. */
  pending: number;
  /** Called after each group. The app sets it, for the metrics. */
  onGroup: (changes: number, ms: number) => void;
  readonly pool?: (() => PoolUsage) | undefined;
}

type OnCommit = (revisions: NewRevisions, isLocal: boolean, hasDueWebhooks: boolean) => void;

interface QueuedCommand extends PromiseWithResolvers<unknown> {
  readonly command: Command;
  readonly since: number;
}

const changeChannel = tracingChannel('petstore.change');

const MAX_GROUP_SIZE = 256;

/** Timeouts of changes in a service. The CLI's own changes have none. */
export interface WriteLimits {
  readonly queueTimeoutMs: number;
  /** For one call to SQLite. */
  readonly callTimeoutMs: number;
}

interface WriterOptions {
  readonly limits?: WriteLimits | undefined;
  readonly pool?: () => PoolUsage;
}

/** Group commit: commands waiting in the same queue form one group. A queue runs one group at a time. */
export function openWriter(
  groups: GroupRunner,
  queueKey: (args: object) => unknown,
  { limits, pool }: WriterOptions = {},
): OpenWriter {
  const queueTimeoutMs = limits?.queueTimeoutMs ?? Number.POSITIVE_INFINITY;
  const load: WriterLoad = { pending: 0, onGroup: () => {}, pool };
  const listeners: OnCommit[] = [];
  const queues = new Map<unknown, { readonly waiting: QueuedCommand[]; readonly drained: Promise<void> }>();
  let isClosed = false;

  function notify(revisions: NewRevisions, isLocal = false, hasDueWebhooks = false): void {
    for (const listener of listeners) listener(revisions, isLocal, hasDueWebhooks);
  }

  function openQueue(key: unknown) {
    const waiting: QueuedCommand[] = [];
    const queue = { waiting, drained: drain(key, waiting) };
    queues.set(key, queue);
    return queue;
  }

  async function drain(key: unknown, waiting: QueuedCommand[]): Promise<void> {
    do {
      // Commands that arrive in the same event-loop tick join the group.
      await new Promise(setImmediate);
      const next = waiting.splice(0, MAX_GROUP_SIZE);
      const group = next.filter((queued) => !rejectIfLate(queued, queueTimeoutMs));
      if (group.length > 0) await run(group);
      load.pending -= next.length;
    } while (waiting.length > 0);
    queues.delete(key);
  }

  async function run(group: readonly QueuedCommand[]): Promise<void> {
    const started = performance.now();
    try {
      if (isClosed) throw new Unavailable('the database was closed');
      const { outcomes, revisions, hasDueWebhooks } = await groups.run(group.map(({ command }) => command));
      for (const [i, queued] of group.entries()) settle(queued, outcomes[i] as Outcome);
      notify(revisions, true, hasDueWebhooks);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    load.onGroup(group.length, performance.now() - started);
  }

  return {
    apply(verb, args) {
      const command = { verb, args, traceparent: currentTraceContext.getStore() };
      const queued = { command, since: performance.now(), ...Promise.withResolvers<unknown>() };
      const key = queueKey(args);
      load.pending++;
      (queues.get(key) ?? openQueue(key)).waiting.push(queued);
      return changeChannel.tracePromise(() => queued.promise as never, { verb: verb.name });
    },
    onCommit: (listener) => void listeners.push(listener),
    notify,
    load,
    async start() {
      await groups.start?.();
    },
    async close() {
      await Promise.all(Array.from(queues.values(), ({ drained }) => drained));
      isClosed = true;
      await groups.close();
    },
  };
}

function rejectIfLate({ since, reject }: QueuedCommand, timeoutMs: number): boolean {
  const isLate = performance.now() - since > timeoutMs;
  if (isLate) reject(new Unavailable(`the change was queued for more than ${timeoutMs / 1_000} s`));
  return isLate;
}

function settle({ resolve, reject }: QueuedCommand, outcome: Outcome): void {
  if ('value' in outcome) resolve(outcome.value);
  else if ('rejected' in outcome) reject(new DomainError(outcome.rejected, outcome.stack));
  else if ('unavailable' in outcome) reject(new Unavailable(outcome.unavailable));
  else reject(new Error(`a change failed: ${outcome.failed}`));
}
