import { documentBody, documentFields } from '../http/fields/body.ts';
import { bodyField, dateTime, type Fields, integer, oneOf, optional } from '../http/fields/field.ts';
import { answered } from '../http/openapi/document-parts.ts';
import { int64Schema, schemaRef } from '../http/openapi/openapi.ts';
import { orderFields } from '../orders/order.ts';
import { shownOrder } from '../orders/shown-order.ts';
import { petFields } from '../pets/pet.ts';
import { orderStatuses } from '../vocabulary.ts';

/** Pets and orders each that the data of a store can have. */
export const MOST_OWN = 10_000;

const id = bodyField(
  { ...int64Schema, description: 'By default the next after the largest.' },
  `an integer from 1 to ${2n ** 63n - 1n}`,
  (value) => (typeof value === 'bigint' && value > 0n ? value : undefined),
  1,
);

export const ownPetFields = {
  id: optional(id),
  ...petFields,
  stock: integer('int64', [0, Number.MAX_SAFE_INTEGER], 'Units that are left after these orders.', 3),
};

export const ownOrderFields = {
  id: optional(id),
  petId: { ...orderFields.petId, description: 'A pet of this data.' },
  quantity: orderFields.quantity,
  shipDate: optional(
    dateTime('By default three days after it was placed, or at once if it has shipped.', shownOrder.shipDate),
  ),
  status: optional(oneOf('By default `pending`.', schemaRef('OrderStatus'), orderStatuses)),
  placedAt: optional(dateTime('By default now.', shownOrder.placedAt)),
  updatedAt: optional(
    dateTime('When it was delivered or cancelled, and only then; by default at once.', shownOrder.updatedAt),
  ),
};

export const ownData = {
  pets: [{ id: 1, name: 'Rex', category: 'dog', stock: 3 }],
  orders: [
    {
      id: 1,
      petId: 1,
      quantity: 2,
      shipDate: '2026-12-07T10:00:00.000Z',
      status: 'pending',
      placedAt: '2026-12-01T09:30:00.000Z',
    },
  ],
};

const lists = (pet: string, order: string) => ({
  pets: { type: 'array', items: schemaRef(pet), maxItems: MOST_OWN, description: 'By ascending id.' },
  orders: { type: 'array', items: schemaRef(order), maxItems: MOST_OWN, description: 'By ascending id.' },
});

/** The same as an answer has it: all of it but what an order may lack, open for fields to come. */
const shown = (description: string, fields: Fields) => {
  const { required, ...rest } = answered(description, documentFields(fields));
  return { ...rest, required: required.filter((name) => name !== 'updatedAt') };
};

export const ownDataSchemas = {
  OwnData: {
    type: 'object',
    description: 'All pets and orders of a store. It has no other fields.',
    additionalProperties: false,
    required: ['pets', 'orders'],
    properties: lists('OwnPet', 'OwnOrder'),
    examples: [ownData],
  },
  OwnPet: documentBody(ownPetFields, 'A pet of your own. It has no other fields.'),
  OwnOrder: documentBody(ownOrderFields, 'An order of your own. It has no other fields.'),
  StoreData: answered('All pets and orders of a store.', lists('StorePet', 'StoreOrder')),
  StorePet: shown('A pet as `data` takes it.', ownPetFields),
  StoreOrder: shown('An order as `data` takes it.', ownOrderFields),
};
