import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../api/client.ts';
import { inputLimits } from '../api/contract.generated.ts';
import { refreshStore, storeQueries } from '../api/queries.ts';
import type { Pet } from '../api/store.ts';
import { Dialog } from '../components/dialog.tsx';
import { DialogForm, submitProps } from '../components/dialog-form.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { PetGlyph } from '../components/pet-glyph.tsx';
import { PetsSearch } from '../components/pets-search.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { findPets, petsSearchOf } from '../find-pets.ts';
import { count } from '../format.ts';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/router.ts';
import { useFragmentAction } from '../use-fragment-action.ts';

/** Number of cards rendered at first and added by "Show more". */
const STEP = 60;

export function Pets() {
  const { search } = useLocation();
  const pets = useQuery(storeQueries.pets());
  const [edited, setEdited] = useState<Pet | 'new'>();
  const [limit, setLimit] = useState(STEP);
  const { query, sort } = petsSearchOf(search);
  const found = useMemo(() => findPets(pets.data ?? [], query, sort), [pets.data, query, sort]);
  useFragmentAction({ add: () => setEdited('new') });
  const add = (
    <button type="button" className="button button-primary" onClick={() => setEdited('new')}>
      <Icon name="plus" size={18} /> Add pet
    </button>
  );
  return (
    <Page name="Pets" title="Pets" lead="The animals in your store, and their stock." actions={add}>
      {pets.isError && !pets.data ? (
        <div className="panel">
          <Failure error={pets.error} retry={() => pets.refetch()} />
        </div>
      ) : !pets.data ? (
        <div className="panel">
          <SkeletonRows rows={8} className="h-20" />
        </div>
      ) : pets.data.length === 0 ? (
        <div className="panel">
          <Empty title="No pets yet" animal="hamster">
            <p>Add a pet so that it can be ordered.</p>
            {add}
          </Empty>
        </div>
      ) : (
        <>
          <PetsSearch query={query} sort={sort} found={found.length} all={pets.data.length} />
          {found.length === 0 ? (
            <div className="panel">
              <Empty title="No matching pets" animal="rabbit">
                <p>No pet's name, category or ID matches “{query}”.</p>
                <Link to="/pets" className="button">
                  Show all pets
                </Link>
              </Empty>
            </div>
          ) : (
            <ul aria-label="Pets" className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 xl:grid-cols-4">
              {found.slice(0, limit).map((pet) => (
                <PetCard key={pet.id} pet={pet} onEdit={() => setEdited(pet)} />
              ))}
            </ul>
          )}
          {found.length > limit && (
            <div className="mt-5 flex justify-center">
              <button type="button" className="button" onClick={() => setLimit(limit + STEP)}>
                Show more ({count(found.length - limit)} left)
              </button>
            </div>
          )}
        </>
      )}
      {edited && (
        <PetDialog pet={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

function PetCard({ pet, onEdit }: { readonly pet: Pet; readonly onEdit: () => void }) {
  const { id, name, category, stock } = pet;
  return (
    <li className="panel flex flex-col gap-3 p-4 sm:p-5">
      <div className="flex items-start justify-between">
        <PetGlyph category={category} size={56} />
        <span className="tag text-sm">{String(id)}</span>
      </div>
      <div className="min-w-0">
        <h2 className="truncate text-lg">{name}</h2>
        <p className="truncate text-ink-soft text-sm">{category}</p>
      </div>
      <p className="text-sm">
        <span className="font-display font-semibold text-2xl numbers">{count(stock)}</span>{' '}
        {stock === 0 ? (
          <span className="font-semibold text-danger">sold out</span>
        ) : (
          <span className="text-ink-soft">in stock</span>
        )}
      </p>
      <div className="-mx-2 mt-auto flex flex-wrap gap-1">
        <button
          type="button"
          className="button button-quiet button-small !px-2"
          aria-label={`Edit ${name}`}
          onClick={onEdit}
        >
          Edit
        </button>
        <Link
          to={`/orders?petId=${id}`}
          className="button button-quiet button-small !px-2"
          aria-label={`Orders for ${name}`}
        >
          Orders
        </Link>
      </div>
    </li>
  );
}

function PetDialog({ pet, onClose }: { readonly pet: Pet | undefined; readonly onClose: () => void }) {
  const [name, setName] = useState(pet?.name ?? '');
  const [category, setCategory] = useState(pet?.category ?? '');
  const [stock, setStock] = useState(String(pet?.stock ?? 10));
  const save = useMutation({
    mutationFn: () => {
      const fields = { name, category, stock: Number(stock) };
      return pet ? client.pets.change(pet.id, changesOf(pet, fields)) : client.pets.create(fields);
    },
    onSuccess: async (saved) => {
      await refreshStore();
      toast(pet ? `${saved.name} updated` : `${saved.name} added`);
    },
  });
  const unchanged = pet && Object.keys(changesOf(pet, { name, category, stock: Number(stock) })).length === 0;
  return (
    <Dialog title={pet ? `Edit ${pet.name}` : 'Add pet'} onClose={onClose}>
      <DialogForm
        submitLabel={pet ? 'Save' : 'Add pet'}
        {...submitProps(save, onClose)}
        {...(unchanged ? { onSubmit: onClose } : {})}
        onCancel={onClose}
      >
        <Field
          label="Name"
          required
          {...inputLimits.name}
          autofocus={!pet}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label="Category"
          required
          {...inputLimits.category}
          value={category}
          onChange={(event) => setCategory(event.target.value)}
          hint="For example, dog, cat or fish"
        />
        <Field
          label="Stock"
          type="number"
          required
          min={0}
          max={inputLimits.stock.maximum}
          autofocus={pet !== undefined}
          value={stock}
          onChange={(event) => setStock(event.target.value)}
          hint="Units available to order"
        />
      </DialogForm>
    </Dialog>
  );
}

/** Only the edited fields: an order may have changed the stock in the meantime. */
function changesOf(pet: Pet, fields: Pick<Pet, 'name' | 'category' | 'stock'>): Partial<typeof fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => pet[field as keyof typeof fields] !== value),
  );
}
