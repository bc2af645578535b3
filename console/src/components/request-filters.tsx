import type { InspectedRequest } from '../api/requests.ts';
import {
  type RequestFilters as Filters,
  NO_RESPONSE,
  operationOf,
  statusClasses,
  withFilters,
} from '../requests-search.ts';
import { Link } from '../router/link.tsx';
import { navigate } from '../router/router.ts';

/** Search, and filters by status, operation and key, stored in the URL. */
export function RequestFilters({
  requests,
  filters,
  keyNames,
}: {
  readonly requests: readonly InspectedRequest[];
  readonly filters: Filters;
  readonly keyNames: ReadonlyMap<string, string>;
}) {
  const set = (changes: Partial<Filters>) =>
    navigate(withFilters(filters, changes), { replace: true, keepScroll: true });
  const statuses = [
    ...new Set(requests.flatMap(({ status }) => (status === null ? [] : [String(status)]))),
  ].sort();
  const operations = [...new Set(requests.map(operationOf))].sort();
  const keys = [...new Set(requests.map(({ keyId }) => keyId))];
  const activeFilters = Object.values(filters).filter((value) => value !== '').length;
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:flex [&>label]:min-w-0 lg:[&>label]:flex-1">
      <label className="col-span-full grid gap-1 lg:grow-[1.6]">
        <span className="label">Search</span>
        <input
          type="search"
          className="input input-small"
          placeholder="Path, ID, header or body"
          value={filters.search}
          onChange={({ target }) => set({ search: target.value })}
        />
      </label>
      <Choice
        label="Status"
        anyLabel="Any status"
        value={filters.status}
        onChange={(status) => set({ status })}
        choices={[
          ...statusClasses.map(
            ([value, name]) => [value, value === NO_RESPONSE ? name : `${name} (${value})`] as const,
          ),
          ...statuses.map((status) => [status, status] as const),
        ]}
      />
      <Choice
        label="Operation"
        anyLabel="Any operation"
        value={filters.operation}
        onChange={(operation) => set({ operation })}
        choices={operations.map((operation) => [operation, operation])}
      />
      <Choice
        label="Key"
        anyLabel="Any key"
        value={filters.key}
        onChange={(key) => set({ key })}
        choices={keys.map((key) => [key, keyNames.get(key) ?? key])}
      />
      {activeFilters > 0 && (
        <div>
          <Link to="/requests" keepScroll className="button button-quiet button-small !min-h-9">
            Clear {activeFilters === 1 ? 'filter' : 'filters'}
          </Link>
        </div>
      )}
    </div>
  );
}

function Choice({
  label,
  anyLabel,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly anyLabel: string;
  readonly value: string;
  readonly choices: ReadonlyArray<readonly [value: string, name: string]>;
  readonly onChange: (value: string) => void;
}) {
  const isListed = value === '' || choices.some(([other]) => other === value);
  return (
    <label className="grid gap-1">
      <span className="label">{label}</span>
      <select className="input input-small" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{anyLabel}</option>
        {!isListed && <option value={value}>{value}</option>}
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
