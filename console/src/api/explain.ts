import { ConnectionError, PetStoreError } from '../../../client/src/index.ts';
import { day } from '../format.ts';
import type { Order, Pet, Transition } from './store.ts';

export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** What a program would have seen. */
  readonly code?: string | undefined;
}

/** Says an error in plain words. */
export function explain(error: unknown): Explanation {
  if (error instanceof ConnectionError) {
    return {
      title: 'No connection to the service',
      text: 'Nothing came back. Your connection may be down, or the service is restarting. Nothing you see is lost.',
    };
  }
  if (!(error instanceof PetStoreError)) {
    return {
      title: 'Something went wrong here',
      text: 'This page stumbled. Loading it again usually helps.',
    };
  }
  const { status = 0, retryAfter, requestId, message } = error;
  const code = codeOf(error);
  if (error.code === 'rate_limited') {
    const wait = retryAfter ? `Wait ${Math.ceil(retryAfter)} seconds` : 'Wait a moment';
    return {
      title: 'A little slower, please',
      text: `That was too many requests. ${wait}, then try again.`,
      code,
    };
  }
  if (error.code === 'weak_password') {
    return { title: 'Choose another password', text: message, code };
  }
  if (status >= 500) {
    const quote = requestId ? ` If it stays, report it with the id ${requestId}.` : '';
    return { title: 'The service has a problem', text: `${message}${quote}`, code };
  }
  return { title: 'The service said no', text: message, code };
}

const codeOf = ({ status, code }: PetStoreError) => (status === undefined ? code : `${status} ${code}`);

/** Whether something may have been done although no answer says so: a key in use is that of an earlier try. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof PetStoreError && (error.mayBeDone || error.code === 'idempotency_key_in_use');

/** Says what became of an action, in words that fit every one. */
export function explainAction(error: unknown): Explanation {
  if (!isUnknown(error)) return explain(error);
  return {
    title: 'No answer came back',
    text: 'It may or may not have happened. Look at the page once the connection is back, and try again if it did not.',
  };
}

/** Says that nobody knows yet what became of an action. */
export function explainUnknown(what: string, isBack: boolean): Explanation {
  return {
    title: `We do not know whether ${what}`,
    text: isBack
      ? 'No answer came back. We are looking it up.'
      : 'No answer came back, so it may or may not have happened. It is looked up as soon as the service can be reached again.',
  };
}

const notDone: Record<Transition, string> = {
  cancel: 'was not cancelled',
  ship: 'was not shipped',
  deliver: 'was not marked as delivered',
};

/** Says why a change of an order was refused. The order as it is now tells more than the code alone. */
export function explainChange(error: unknown, transition: Transition, order: Order): Explanation {
  if (!(error instanceof PetStoreError)) return explain(error);
  const plain = reason(error.code, transition, order);
  if (plain === undefined) return explain(error);
  return { title: `Order ${order.id} ${notDone[transition]}`, text: plain, code: codeOf(error) };
}

function reason(code: string, transition: Transition, { status, shipDate }: Order): string | undefined {
  if (code === 'not_found') return 'There is no such order in this store any more.';
  if (code === 'order_already_cancelled')
    return 'Someone was faster: it is already cancelled, and its units are back in stock.';
  if (code === 'order_already_shipped') {
    const fact = status === 'delivered' ? 'It has already been delivered' : 'It has already shipped';
    const when = status === 'pending' ? '' : `; it left on ${day(shipDate)}`;
    return `${fact}${when}. Shipping cannot be reversed, so only orders that are still pending can be cancelled. Nothing was changed.`;
  }
  if (code !== 'invalid_transition') return undefined;
  const needed = transition === 'deliver' ? 'shipped' : 'pending';
  return `It is ${status === needed ? 'no longer' : `${status}, not`} ${needed}: an order goes from pending to shipped to delivered, and never back. Nothing was changed.`;
}

/** Says why an order could not be placed. */
export function explainPlacing(error: unknown, pet: Pet | undefined, quantity: number): Explanation {
  if (isUnknown(error)) {
    return {
      title: 'We do not know whether the order was placed',
      text: 'No answer came back. Trying again is safe: it carries the same idempotency key, so that the order is placed once, however often it is sent.',
    };
  }
  if (!(error instanceof PetStoreError)) return explain(error);
  const code = codeOf(error);
  const title = 'The order was not placed';
  if (error.code === 'insufficient_stock') {
    const left = pet ? `Only ${pet.stock} of ${pet.name} are left` : 'There are not that many left';
    return { title, text: `${left}, and you asked for ${quantity}. Nothing was taken from the stock.`, code };
  }
  if (error.code === 'unknown_pet') return { title, text: 'That pet is not in this store any more.', code };
  return { ...explain(error), title };
}
