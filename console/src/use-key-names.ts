import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keysQuery, pastKeysQuery, sessionQuery } from './api/queries.ts';

/** Display names of all keys by ID, including revoked ones. A session opened with a key only knows that key. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const own = useQuery(sessionQuery).data?.key;
  const enabled = own === null;
  const working = useQuery({ ...keysQuery, enabled, refetchInterval: false }).data;
  const past = useInfiniteQuery({ ...pastKeysQuery, enabled }).data;
  return useMemo(() => {
    const earlier = past?.pages.flatMap(({ data }) => data) ?? [];
    const keys = [...earlier, ...(working ?? []), ...(own ? [own] : [])];
    return new Map([
      ['session', 'Session key (API reference)'],
      ...keys.map(({ id, name, lastFour }): [string, string] => [id, `${name} …${lastFour}`]),
    ]);
  }, [own, working, past]);
}
