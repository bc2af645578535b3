import { dateTime, documentBody, int64, integer, optional, text } from '../http/content/body.ts';
import { orderInput, petInput } from './v2-examples.ts';

/** Plain characters; HTTP takes spaces off both ends of a header. */
export const IDEMPOTENCY_KEY_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[!-~]([ -~]*[!-~])?$',
} as const;
export const MAX_QUANTITY = 1000;
const MAX_STOCK = 1_000_000_000;

export const MAX_NAME = 100;
export const MAX_CATEGORY = 50;

/** Text that any database and any screen can carry: no control characters. */
const plainText = (maxLength: number) => ({ maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' });

const name = text(plainText(MAX_NAME), 'What the pet is called.', petInput.name);
const category = text(
  plainText(MAX_CATEGORY),
  'What kind of animal it is, such as `dog`.',
  petInput.category,
);
const stock = integer('int64', [0, MAX_STOCK], 'Units that can be ordered.', petInput.stock);

export const orderFields = {
  petId: int64('Identifier of the pet to order.', orderInput.petId),
  quantity: integer('int32', [1, MAX_QUANTITY], 'Number of units.', orderInput.quantity),
  shipDate: optional(dateTime('When to ship; by default three days from now.', orderInput.shipDate)),
};
export const petFields = { name, category, stock: optional(stock) };
export const petChangeFields = {
  name: optional(name),
  category: optional(category),
  stock: optional(stock),
};

export const bodySchemas = {
  OrderInput: documentBody(orderFields, 'An order to place. It has no other fields.'),
  PetInput: documentBody(petFields, 'A pet to add. It has no other fields.'),
  PetPatch: documentBody(petChangeFields, 'What to change of a pet, at least one field. It has no others.', {
    minProperties: 1,
  }),
};
