import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { storeQueries } from '../api/queries.ts';
import { orderStatuses } from '../api/store.ts';
import { countFilters, type SearchParameter, statusesOf, withParameters } from '../orders-search.ts';
import { Link } from '../router/link.tsx';
import { navigate } from '../router/router.ts';
import { DateInput } from './date-input.tsx';
import { GoToOrder } from './go-to-order.tsx';
import { Icon } from './icon.tsx';
import { StatusMark, statusNames } from './status.tsx';

/** All filters of the list. They are stored in the URL, so that it can be shared. */
export function OrdersFilters({ search }: { readonly search: string }) {
  const given = new URLSearchParams(search);
  const set = (changes: Partial<Record<SearchParameter, string>>) =>
    navigate(withParameters(search, changes), { replace: true, keepScroll: true });
  const chosen = statusesOf(search);
  const filterCount = countFilters(search);
  const detailFilterCount = filterCount - (chosen.length > 0 ? 1 : 0);
  // A date is empty while it is being typed: keep the section open.
  const [isExpanded, setExpanded] = useState(detailFilterCount > 0);
  if (detailFilterCount > 0 && !isExpanded) setExpanded(true);

  return (
    <div className="mb-4 grid gap-3">
      <div className="flex flex-wrap items-start gap-2 sm:justify-between sm:gap-3">
        <fieldset className="flex flex-wrap gap-2 max-sm:contents">
          <legend className="sr-only">Status</legend>
          {orderStatuses.map((status) => (
            <label
              key={status}
              className={`tone-${status} relative inline-flex min-h-9 items-center gap-2 rounded-full border border-line-strong bg-surface px-3.5 font-semibold text-sm has-checked:border-[var(--tone)] has-checked:bg-[var(--tone-soft)] has-checked:text-[var(--tone)] has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2`}
            >
              <input
                type="checkbox"
                className="absolute inset-0 cursor-pointer opacity-0"
                checked={chosen.includes(status)}
                onChange={(event) => {
                  const next = orderStatuses.filter((other) =>
                    other === status ? event.target.checked : chosen.includes(other),
                  );
                  set({ status: next.join(',') });
                }}
              />
              <StatusMark status={status} />
              {statusNames[status]}
            </label>
          ))}
          {filterCount > 0 && (
            <Link
              to={withParameters(search, noFilters)}
              keepScroll
              className="button button-quiet button-small !min-h-9"
            >
              Clear {filterCount === 1 ? 'filter' : 'filters'}
            </Link>
          )}
        </fieldset>
        <GoToOrder />
      </div>
      <details className="group" open={isExpanded || undefined}>
        <summary className="inline-flex list-none items-center gap-2 rounded-lg py-1 font-semibold text-accent text-sm [&::-webkit-details-marker]:hidden">
          <Icon name="filter" size={16} />
          More filters{detailFilterCount > 0 ? ` (${detailFilterCount})` : ''}
        </summary>
        <div className="mt-2 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          <PetFilter value={given.get('petId') ?? ''} onChange={(petId) => set({ petId })} />
          <DateFilter
            label="Ships on or after"
            value={given.get('shipDateFrom')}
            onChange={(shipDateFrom) => set({ shipDateFrom })}
          />
          <DateFilter
            label="Ships before"
            value={given.get('shipDateTo')}
            onChange={(shipDateTo) => set({ shipDateTo })}
          />
          <label className="grid gap-1">
            <span className="label">Complete</span>
            <select
              className="input input-small"
              value={given.get('complete') ?? ''}
              onChange={(event) => set({ complete: event.target.value })}
            >
              <option value="">Any</option>
              <option value="true">Yes</option>
              <option value="false">No</option>
            </select>
          </label>
        </div>
      </details>
    </div>
  );
}

const noFilters = { status: '', petId: '', complete: '', shipDateFrom: '', shipDateTo: '' };

/** Selects a day; the value is its start in UTC. */
function DateFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (time: string) => void;
}) {
  return (
    <DateInput
      label={label}
      small
      value={(value ?? '').slice(0, 10)}
      onChange={(day) => onChange(day ? `${day}T00:00:00Z` : '')}
    />
  );
}

function PetFilter({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (petId: string) => void;
}) {
  const pets = useQuery(storeQueries.pets()).data ?? [];
  const isListed = pets.some(({ id }) => String(id) === value);
  return (
    <label className="grid gap-1">
      <span className="label">Pet</span>
      <select className="input input-small" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">All pets</option>
        {value !== '' && !isListed && <option value={value}>Pet {value}</option>}
        {pets.map(({ id, name, category }) => (
          <option key={id} value={String(id)}>
            {name} ({category}, {id})
          </option>
        ))}
      </select>
    </label>
  );
}
