import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keysQuery, pastKeysQuery } from './api/queries.ts';

/** What to call each key, also those of the past: its name and its end. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const working = useQuery({ ...keysQuery, refetchInterval: false }).data;
  const past = useInfiniteQuery(pastKeysQuery).data;
  return useMemo(() => {
    const keys = [...(past?.pages.flatMap(({ data }) => data) ?? []), ...(working ?? [])];
    return new Map(keys.map(({ id, name, lastFour }) => [id, `${name} …${lastFour}`]));
  }, [working, past]);
}
