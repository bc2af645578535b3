import { useEffect, useRef, useState } from 'react';
import { unreachableSince } from '../api/connection.ts';
import { explainChange, isOutcomeUnknown } from '../api/explain.ts';
import { wasChanged } from '../api/outcome.ts';
import { refreshStore } from '../api/queries.ts';
import { changeOrder, type Order, type Transition } from '../api/store.ts';
import { forEachConcurrently } from '../for-each-concurrently.ts';
import { plural } from '../format.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

/** Concurrent requests. */
const CONCURRENCY = 4;

type Outcome = 'waiting' | 'done' | 'unknown' | 'not done' | { readonly rejected: string };

const texts: Record<Transition, { verb: string; effect: string; done: string }> = {
  ship: {
    verb: 'Ship',
    effect: "Sets their ship date to now. This can't be undone.",
    done: 'shipped',
  },
  deliver: { verb: 'Deliver', effect: "Completes the orders. This can't be undone.", done: 'delivered' },
  cancel: {
    verb: 'Cancel',
    effect: "Returns their units to stock. This can't be undone.",
    done: 'cancelled',
  },
};

/** Changes several orders, a few at a time, and lists the result of each. */
export function ChangeOrdersDialog({
  orders,
  transition,
  onClose,
}: {
  readonly orders: readonly Order[];
  readonly transition: Transition;
  readonly onClose: () => void;
}) {
  const [chosen] = useState(orders);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<bigint, Outcome>>();
  const [running, setRunning] = useState(false);
  const stopped = useRef(false);
  const isReachable = unreachableSince.use() === undefined;
  const { verb, effect, done } = texts[transition];
  const setOutcome = (id: bigint, outcome: Outcome) =>
    setOutcomes((before) => new Map(before ?? []).set(id, outcome));
  const ordersWith = (wanted: Outcome) => chosen.filter(({ id }) => outcomes?.get(id) === wanted);

  const run = async (some: readonly Order[]) => {
    stopped.current = false;
    setRunning(true);
    for (const { id } of some) setOutcome(id, 'waiting');
    await forEachConcurrently(some, CONCURRENCY, async (order) => {
      if (stopped.current) return setOutcome(order.id, 'not done');
      try {
        await changeOrder(order.id, transition);
        setOutcome(order.id, 'done');
      } catch (error) {
        setOutcome(
          order.id,
          isOutcomeUnknown(error) ? 'unknown' : { rejected: explainChange(error, transition, order).text },
        );
      }
    });
    await refreshStore();
    setRunning(false);
  };

  const unknown = ordersWith('unknown');
  const retryable = [...ordersWith('not done'), ...unknown];
  const shouldLookUp = isReachable && !running && unknown.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked up once each time the service is back.
  useEffect(() => {
    if (!shouldLookUp) return;
    void forEachConcurrently(unknown, CONCURRENCY, async ({ id }) => {
      try {
        setOutcome(id, (await wasChanged(id, transition)) ? 'done' : 'not done');
      } catch {
        // Stays unknown; looked up again once the service is back.
      }
    });
  }, [shouldLookUp]);

  return (
    <Dialog
      title={
        outcomes ? `${verb} ${plural(chosen.length, 'order')}` : `${verb} ${plural(chosen.length, 'order')}?`
      }
      onClose={onClose}
      {...(running ? { blockedReason: 'Still in progress. Wait until it is done, or stop it first.' } : {})}
    >
      <div className="grid gap-5">
        {!outcomes && <p className="text-ink-soft">{effect}</p>}
        {outcomes && (
          <>
            <p role="status" className="font-semibold">
              {ordersWith('done').length} of {chosen.length} {done}
              {unknown.length > 0 &&
                (isReachable
                  ? `; checking ${unknown.length}`
                  : `; ${unknown.length} unknown until the service is back`)}
            </p>
            <ol
              aria-label="Results"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard.
              tabIndex={0}
              className="max-h-72 divide-y divide-line overflow-y-auto border-line border-y"
            >
              {chosen.map(({ id }) => (
                <OutcomeRow key={id} id={id} outcome={outcomes.get(id) ?? 'waiting'} done={done} />
              ))}
            </ol>
          </>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {running ? (
            <button type="button" className="button" onClick={() => (stopped.current = true)}>
              Stop
            </button>
          ) : (
            <button type="button" className="button" onClick={onClose}>
              {outcomes ? 'Close' : transition === 'cancel' ? 'Keep orders' : 'Cancel'}
            </button>
          )}
          {(!outcomes || (!running && retryable.length > 0)) && (
            <button
              type="button"
              data-autofocus
              className={`button ${transition === 'cancel' ? 'button-danger' : 'button-primary'}`}
              onClick={() => run(outcomes ? retryable : chosen)}
            >
              {outcomes ? `Retry ${retryable.length}` : `${verb} ${plural(chosen.length, 'order')}`}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function OutcomeRow({
  id,
  outcome,
  done,
}: {
  readonly id: bigint;
  readonly outcome: Outcome;
  readonly done: string;
}) {
  const text =
    typeof outcome === 'object'
      ? outcome.rejected
      : { waiting: 'in progress', done, unknown: 'no response', 'not done': `not ${done}` }[outcome];
  const isDone = outcome === 'done';
  const isProblem = typeof outcome === 'object' || outcome === 'unknown';
  return (
    <li className="flex items-start gap-3 py-2 text-sm">
      <span className="tag flex-none">{String(id)}</span>
      <span className={`min-w-0 flex-1 pt-0.5 ${isProblem ? '' : 'text-ink-soft'}`}>{text}</span>
      <span className={`pt-0.5 ${isDone ? 'text-delivered' : 'text-danger'}`}>
        {(isDone || isProblem) && <Icon name={isDone ? 'check' : 'warning'} size={18} />}
      </span>
    </li>
  );
}
