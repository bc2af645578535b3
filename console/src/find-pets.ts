import type { Pet } from './api/store.ts';

export const petSorts = [
  ['id', 'ID'],
  ['name', 'Name'],
  ['stock', 'Stock: low to high'],
  ['-stock', 'Stock: high to low'],
] as const;
export type PetSort = (typeof petSorts)[number][0];

/** Reads the search text and sort order from the query string. */
export function petsSearchOf(search: string): { query: string; sort: PetSort } {
  const given = new URLSearchParams(search);
  const [sort] = petSorts.find(([name]) => name === given.get('sort')) ?? petSorts[0];
  return { query: given.get('q') ?? '', sort };
}

export function petsPath(query: string, sort: PetSort): string {
  const params = new URLSearchParams({
    ...(query ? { q: query } : {}),
    ...(sort === 'id' ? {} : { sort }),
  });
  return params.size > 0 ? `/pets?${params}` : '/pets';
}

const compare: Record<PetSort, (a: Pet, b: Pet) => number> = {
  id: byId,
  name: (a, b) => a.name.localeCompare(b.name) || byId(a, b),
  stock: (a, b) => a.stock - b.stock || byId(a, b),
  '-stock': (a, b) => b.stock - a.stock || byId(a, b),
};

function byId(a: Pet, b: Pet): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** The pets whose name or category contains the text, or whose ID equals it. */
export function findPets(pets: readonly Pet[], query: string, sort: PetSort): readonly Pet[] {
  const text = query.trim().toLowerCase();
  const matches = ({ id, name, category }: Pet) =>
    text === '' || String(id) === text || `${name}\n${category}`.toLowerCase().includes(text);
  return pets.filter(matches).sort(compare[sort]);
}
