import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keysQuery, pastKeysQuery, sessionQuery } from './api/queries.ts';

/** What to call each key, also those of the past: its name and its end. Whoever came with a key knows that one. */
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
