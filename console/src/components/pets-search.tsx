import { useId } from 'react';
import { type PetSort, petSorts, petsPath } from '../find-pets.ts';
import { count, plural } from '../format.ts';
import { navigate } from '../router/router.ts';
import { Icon } from './icon.tsx';

/** Search and sort order of the pets, stored in the URL so that it can be shared. */
export function PetsSearch({
  query,
  sort,
  found,
  all,
}: {
  readonly query: string;
  readonly sort: PetSort;
  readonly found: number;
  readonly all: number;
}) {
  const id = useId();
  const set = (text: string, order: PetSort) =>
    navigate(petsPath(text, order), { replace: true, keepScroll: true });
  return (
    <search className="mb-4 flex flex-wrap items-center gap-3">
      <div className="relative min-w-0 flex-1 basis-56 sm:max-w-xs">
        <label htmlFor={id} className="sr-only">
          Search pets
        </label>
        <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 text-ink-soft">
          <Icon name="search" size={16} />
        </span>
        <input
          id={id}
          type="search"
          className="input input-small !pl-9"
          placeholder="Name, category or ID"
          value={query}
          onChange={(event) => set(event.target.value, sort)}
        />
      </div>
      <label className="flex items-center gap-2 text-ink-soft text-sm">
        Sort by
        <select
          className="input input-small !w-auto min-w-44"
          value={sort}
          onChange={(event) => set(query, event.target.value as PetSort)}
        >
          {petSorts.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p role="status" className="ml-auto text-ink-soft text-sm">
        {found === all ? plural(all, 'pet') : `${count(found)} of ${plural(all, 'pet')}`}
      </p>
    </search>
  );
}
