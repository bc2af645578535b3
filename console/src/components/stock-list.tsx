import { useState } from 'react';
import type { Pet } from '../api/store.ts';
import { count } from '../format.ts';
import { Link } from '../router/link.tsx';
import { PetGlyph } from './pet-glyph.tsx';

const LOW_STOCK = 5;
/** Number of rows rendered at first and added on scrolling. */
const STEP = 100;

/** Stock of every pet, lowest first. */
export function StockList({ pets }: { readonly pets: readonly Pet[] }) {
  const [visibleRows, setVisibleRows] = useState(STEP);
  const largest = pets.reduce((max, { stock }) => Math.max(max, stock), 1);
  const byStock = [...pets].sort((a, b) => a.stock - b.stock);
  return (
    <ul
      aria-label="Stock by pet"
      className="-mx-2 grid max-h-[33rem] content-start gap-x-8 gap-y-1 overflow-y-auto px-2 sm:grid-cols-2 xl:grid-cols-1"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (scrollTop + 2 * clientHeight > scrollHeight && visibleRows < pets.length)
          setVisibleRows(visibleRows + STEP);
      }}
    >
      {byStock.slice(0, visibleRows).map(({ id, name, category, stock }) => (
        <li key={id}>
          <Link
            to={`/orders?petId=${id}`}
            className="grid grid-cols-[2rem_1fr_auto] items-center gap-x-3 rounded-xl py-1 hover:bg-sunken/60"
          >
            <PetGlyph category={category} size={32} />
            <span className="min-w-0">
              <span className="block truncate font-semibold text-sm leading-tight">{name}</span>
              <svg width="100%" height="6" aria-hidden="true" className="mt-1 block rounded-full bg-sunken">
                <rect
                  width={`${(100 * stock) / largest}%`}
                  height="6"
                  rx="3"
                  className={stock <= LOW_STOCK ? 'tone-pending tone-fill' : 'tone-delivered tone-fill'}
                />
              </svg>
            </span>
            <span className="min-w-16 text-right font-semibold text-sm numbers">
              {stock === 0 ? <span className="text-danger">Sold out</span> : count(stock)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
