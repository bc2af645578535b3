import { useQuery } from '@tanstack/react-query';
import { NotFoundError } from '../../../client/src/index.ts';
import { client } from './client.ts';
import { unreachableSince } from './connection.ts';
import { type Transition, transitions } from './store.ts';

/** Whether an order came into the state that a change leads to. */
export async function wasChanged(id: bigint, transition: Transition): Promise<boolean> {
  try {
    const history = await client.orders.history(id);
    return history.some(({ status }) => status === transitions[transition].to);
  } catch (error) {
    // An order that a reset took away was not changed, either.
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** Looks up, as soon as the service answers again, whether a change whose answer was lost was made. */
export function useOutcome(id: bigint, transition: Transition, attempt: number, isUnknown: boolean) {
  const isBack = unreachableSince.use() === undefined;
  const { data } = useQuery({
    queryKey: ['outcome', String(id), transition, attempt],
    queryFn: () => wasChanged(id, transition),
    enabled: isUnknown && isBack,
    // Somebody waits for it: a service that stumbles is asked until it says.
    refetchInterval: ({ state }) => (state.data === undefined ? 2_000 : false),
  });
  return { isBack, wasDone: isUnknown ? data : undefined };
}
