import type { Pet } from '../api/store.ts';
import { count } from '../format.ts';
import { PetGlyph } from './pet-glyph.tsx';

const LOW = 5;

/** What is left of each pet, the scarcest first. */
export function StockList({ pets, rows }: { readonly pets: readonly Pet[]; readonly rows: number }) {
  const most = pets.reduce((max, { stock }) => Math.max(max, stock), 1);
  const scarce = [...pets].sort((a, b) => a.stock - b.stock).slice(0, rows);
  return (
    <ul className="grid gap-2.5">
      {scarce.map(({ id, name, category, stock }) => (
        <li key={id} className="grid grid-cols-[2rem_1fr_auto] items-center gap-x-3">
          <PetGlyph category={category} size={32} />
          <div className="min-w-0">
            <p className="truncate font-semibold text-sm leading-tight">{name}</p>
            <svg width="100%" height="6" aria-hidden="true" className="mt-1 block rounded-full bg-sunken">
              <rect
                width={`${(100 * stock) / most}%`}
                height="6"
                rx="3"
                className={stock <= LOW ? 'tone-pending tone-fill' : 'tone-delivered tone-fill'}
              />
            </svg>
          </div>
          <p className="min-w-16 text-right font-semibold text-sm numbers">
            {stock === 0 ? <span className="text-danger">sold out</span> : count(stock)}
          </p>
        </li>
      ))}
    </ul>
  );
}
