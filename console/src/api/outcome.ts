import { useQuery } from '@tanstack/react-query';
import { NotFoundError } from '../../../client/src/index.ts';
import { client } from './client.ts';
import { unreachableSince } from './connection.ts';
import { type Transition, transitions } from './store.ts';

/** Whether the order's history contains the status that a change leads to. */
export async function wasChanged(id: bigint, transition: Transition): Promise<boolean> {
  try {
    const history = await client.orders.history(id);
    return history.some(({ status }) => status === transitions[transition].to);
  } catch (error) {
    // An order removed by a reset was not changed.
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** Looks up whether a change with a lost response was made, once the service responds again. */
export function useOutcome(id: bigint, transition: Transition, attempt: number, isUnknown: boolean) {
  const isReachable = unreachableSince.use() === undefined;
  const { data } = useQuery({
    queryKey: ['outcome', String(id), transition, attempt],
    queryFn: () => wasChanged(id, transition),
    enabled: isUnknown && isReachable,
    // The user is waiting: poll until the service responds.
    refetchInterval: ({ state }) => (state.data === undefined ? 2_000 : false),
  });
  return { isReachable, wasDone: isUnknown ? data : undefined };
}
