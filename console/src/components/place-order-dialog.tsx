import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { explainPlacing, isOutcomeUnknown } from '../api/explain.ts';
import { refreshStore, storeQueries } from '../api/queries.ts';
import { plural } from '../format.ts';
import { newIdempotencyKey } from '../idempotency-key.ts';
import { DateInput } from './date-input.tsx';
import { Dialog } from './dialog.tsx';
import { DialogForm, submitProps } from './dialog-form.tsx';
import { Field } from './field.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { toast } from './toast.tsx';

export function PlaceOrderDialog({ onClose }: { readonly onClose: () => void }) {
  const pets = useQuery(storeQueries.pets()).data ?? [];
  const [petId, setPetId] = useState('');
  const [quantity, setQuantity] = useState('1');
  const [date, setDate] = useState('');
  const pet = pets.find(({ id }) => String(id) === petId);
  const shipDate = date ? `${date}T09:00:00Z` : undefined;
  // A retry after a lost response reuses the idempotency key, so that the order is placed once.
  const [attempt, setAttempt] = useState(() => ({ input: '', key: '' }));

  const place = useMutation({
    mutationFn: () => {
      const input = `${petId} ${quantity} ${date}`;
      const { key } = input === attempt.input ? attempt : { key: newIdempotencyKey() };
      setAttempt({ input, key });
      const order = { petId: BigInt(petId), quantity: Number(quantity), shipDate };
      return client.orders.place(order, { idempotencyKey: key });
    },
    onSuccess: async (order) => {
      await refreshStore();
      toast(`Order ${order.id} placed`);
    },
    onError: (error) => {
      // A rejection is final: the next attempt is a new order with a new key.
      if (!isOutcomeUnknown(error)) setAttempt({ input: '', key: '' });
      void refreshStore();
    },
  });

  return (
    <Dialog title="Place order" onClose={onClose}>
      <DialogForm
        submitLabel={isOutcomeUnknown(place.error) ? 'Try again' : 'Place order'}
        {...submitProps(place, onClose, (error) => explainPlacing(error, pet, Number(quantity)))}
        onCancel={onClose}
      >
        <div className="flex items-end gap-3">
          <label className="grid min-w-0 flex-1 gap-1">
            <span className="label">Pet</span>
            <select
              className="input"
              required
              data-autofocus
              value={petId}
              onChange={(event) => setPetId(event.target.value)}
            >
              <option value="">Select a pet</option>
              {pets.map(({ id, name, category, stock }) => (
                <option key={id} value={String(id)}>
                  {name} ({category}): {stock === 0 ? 'sold out' : `${stock} in stock`}
                </option>
              ))}
            </select>
          </label>
          <PetGlyph category={pet?.category ?? 'other'} size={44} />
        </div>
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
          <Field
            label="Quantity"
            type="number"
            required
            min={1}
            max={1000}
            value={quantity}
            onChange={(event) => setQuantity(event.target.value)}
            hint={pet ? `${plural(pet.stock, 'unit')} in stock` : '1 to 1,000'}
          />
          <DateInput
            label="Ship date (optional)"
            value={date}
            onChange={setDate}
            hint="Defaults to three days from now"
          />
        </div>
      </DialogForm>
    </Dialog>
  );
}
