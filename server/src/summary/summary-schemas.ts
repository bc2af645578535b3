import { answered } from '../http/openapi/document-parts.ts';
import { int64Schema, schemaRef } from '../http/openapi/openapi.ts';
import { orderStatuses } from '../vocabulary.ts';

/** Ten years: a store whose orders ship in more weeks than that is answered with the last of them. */
export const MOST_WEEKS = 520;

const countsExample = Object.fromEntries(orderStatuses.map((status, i) => [status, i === 0 ? 1 : 0]));
export const summaryExample = {
  orders: countsExample,
  weeks: [{ week: '2026-12-07', ...countsExample }],
  stock: [{ petId: 1, stock: 24 }],
  revision: 17,
};

/** More than a store may have, whatever its limit is set to. */
const MOST_PETS = 1_000_000;

const [week] = summaryExample.weeks;
const [pet] = summaryExample.stock;
const counts = Object.fromEntries(
  orderStatuses.map((status) => [
    status,
    {
      ...int64Schema,
      minimum: 0,
      description: `Orders that are ${status}.`,
      examples: [summaryExample.orders[status]],
    },
  ]),
);

/** The schemas of the summary. */
export const summarySchemas = {
  StoreSummary: answered('Orders and stock, counted.', {
    orders: schemaRef('OrderCounts'),
    weeks: {
      type: 'array',
      items: schemaRef('WeekCounts'),
      maxItems: MOST_WEEKS,
      description: `The last ${MOST_WEEKS} weeks in which orders ship, ascending. Those without orders are left out.`,
    },
    stock: {
      type: 'array',
      items: schemaRef('PetStock'),
      maxItems: MOST_PETS,
      description: 'Every pet of the store, by ascending id.',
    },
    revision: {
      ...int64Schema,
      description: 'The revision of the store at which all of this is so.',
      examples: [summaryExample.revision],
    },
  }),
  OrderCounts: {
    ...answered('How many orders are in each state.', counts),
    examples: [summaryExample.orders],
  },
  WeekCounts: answered('How many orders that ship in a week are in each state.', {
    week: {
      type: 'string',
      format: 'date',
      minLength: 10,
      maxLength: 10,
      description: 'The Monday of the week. UTC.',
      examples: [week?.week],
    },
    ...counts,
  }),
  PetStock: answered('What is left of a pet.', {
    petId: { ...int64Schema, description: 'Identifier of the pet.', examples: [pet?.petId] },
    stock: { ...int64Schema, minimum: 0, description: 'Units that can be ordered.', examples: [pet?.stock] },
  }),
};
