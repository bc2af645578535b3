import { ConnectionError, PetStoreError } from '../../../client/src/index.ts';
import { day, plural } from '../format.ts';
import type { Order, Pet, Transition } from './store.ts';

export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** The status and error code. */
  readonly code?: string | undefined;
}

/** Explains an error to the user. */
export function explain(error: unknown): Explanation {
  if (error instanceof ConnectionError) {
    return {
      title: "Can't reach the service",
      text: 'Check your network connection and try again. The service may be restarting.',
    };
  }
  if (!(error instanceof PetStoreError)) {
    return {
      title: 'Something went wrong',
      text: 'Reload the page to try again.',
    };
  }
  const { status = 0, retryAfter, requestId, message } = error;
  const code = codeOf(error);
  if (error.code === 'rate_limited') {
    const wait = retryAfter ? `Wait ${plural(Math.ceil(retryAfter), 'second')}` : 'Wait a moment';
    return {
      title: 'Too many requests',
      text: `${wait}, then try again.`,
      code,
    };
  }
  if (error.code === 'weak_password') {
    return { title: 'Password not accepted', text: message, code };
  }
  if (status >= 500) {
    const quote = requestId ? ` If this keeps happening, report request ID ${requestId}.` : '';
    return { title: 'Server error', text: `${message}${quote}`, code };
  }
  return { title: 'Request rejected', text: message, code };
}

const codeOf = ({ status, code }: PetStoreError) => (status === undefined ? code : `${status} ${code}`);

/** Whether the change may have been made. `idempotency_key_in_use`: an earlier attempt may still be running. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof PetStoreError && (error.mayBeDone || error.code === 'idempotency_key_in_use');

/** Explains the error of any action. */
export function explainAction(error: unknown): Explanation {
  if (!isOutcomeUnknown(error)) return explain(error);
  return {
    title: 'No response',
    text: 'The change may or may not have been made. Check once the connection is back, and try again if needed.',
  };
}

/** Explains that the outcome of an action is still unknown. */
export function explainUnknown(what: string, isReachable: boolean): Explanation {
  return {
    title: `We don't know if ${what}`,
    text: isReachable
      ? 'The response was lost. Checking now.'
      : "The response was lost, so the change may or may not have been made. We'll check as soon as the service is reachable.",
  };
}

const notDone: Record<Transition, string> = {
  cancel: 'was not cancelled',
  ship: 'was not shipped',
  deliver: 'was not marked as delivered',
};

/** Explains why a change was rejected, using the order's current status. */
export function explainChange(error: unknown, transition: Transition, order: Order): Explanation {
  if (!(error instanceof PetStoreError)) return explain(error);
  const plain = reason(error.code, transition, order);
  if (plain === undefined) return explain(error);
  return { title: `Order ${order.id} ${notDone[transition]}`, text: plain, code: codeOf(error) };
}

function reason(code: string, transition: Transition, { status, shipDate }: Order): string | undefined {
  if (code === 'not_found') return 'This order no longer exists in this store.';
  if (code === 'order_already_cancelled') return 'It was already cancelled, and its units are back in stock.';
  if (code === 'order_already_shipped') {
    const when = status === 'pending' ? '' : ` on ${day(shipDate)}`;
    const delivered = status === 'delivered' ? ' and has been delivered' : '';
    return `It already shipped${when}${delivered}. Shipping can't be reversed, so only pending orders can be cancelled. Nothing was changed.`;
  }
  if (code !== 'invalid_transition') return undefined;
  const needed = transition === 'deliver' ? 'shipped' : 'pending';
  return `It is ${status === needed ? 'no longer' : `${status}, not`} ${needed}. Orders go from pending to shipped to delivered, never back. Nothing was changed.`;
}

/** Explains why an order was not placed. */
export function explainPlacing(error: unknown, pet: Pet | undefined, quantity: number): Explanation {
  if (isOutcomeUnknown(error)) {
    return {
      title: "We don't know if the order was placed",
      text: 'The response was lost. It is safe to try again: the idempotency key ensures that the order is placed only once.',
    };
  }
  if (!(error instanceof PetStoreError)) return explain(error);
  const code = codeOf(error);
  const title = 'The order was not placed';
  if (error.code === 'insufficient_stock') {
    const left = pet
      ? `${pet.name} has ${plural(pet.stock, 'unit')} left`
      : 'There are not enough units left';
    return { title, text: `${left}, and you ordered ${quantity}. Stock is unchanged.`, code };
  }
  if (error.code === 'unknown_pet') return { title, text: 'This pet no longer exists in this store.', code };
  return { ...explain(error), title };
}
