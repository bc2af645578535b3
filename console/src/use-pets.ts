import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { storeQueries } from './api/queries.ts';
import type { Pet } from './api/store.ts';

/** The pets of the store by their ids; empty until they are read. */
export function usePetsById(): ReadonlyMap<bigint, Pet> {
  const { data } = useQuery(storeQueries.pets());
  return useMemo(() => new Map(data?.map((pet) => [pet.id, pet])), [data]);
}
