import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { storeQueries } from './api/queries.ts';
import type { Pet } from './api/store.ts';

/** The store's pets by ID; empty until loaded. */
export function usePetsById(): ReadonlyMap<bigint, Pet> {
  const { data } = useQuery(storeQueries.pets());
  return useMemo(() => new Map(data?.map((pet) => [pet.id, pet])), [data]);
}
