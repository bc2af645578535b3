import { type Field, integer, searchText } from '../fields/field.ts';
import { answered, errorAnswer } from '../openapi/answers.ts';
import { listOf, textHeader } from '../openapi/openapi.ts';
import { CURSOR_SCHEMA } from './cursor.ts';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;

export const limit = integer([1, MAX_LIMIT], 'How many to answer with at the most.', DEFAULT_LIMIT, {
  default: DEFAULT_LIMIT,
});

/** Its seal tells whether it is ours. It has no example: that would be refused. */
const cursor: Field<string> = {
  ...searchText(200, 'The `nextCursor` of the page before; everything but `limit` must be as it was there.'),
  schema: CURSOR_SCHEMA,
};

export const paging = { limit, cursor };

export const cursorExample = 'AAABm4YxPwAAAAAAAAAAKZf2kQ3vXc8yTq1bJ0sWm9E';

export const nextLinkHeader = (
  path: string,
  example = `<${path}?limit=1&cursor=${cursorExample}>; rel="next"`,
) => textHeader('The next page, as `rel="next"`; absent on the last.', 1024, example);

export const invalidQuery = errorAnswer('A parameter is unknown or malformed, or the cursor does not fit.', [
  'invalid_parameter',
  'invalid_cursor',
]);

export function pageSchema(description: string, rows: string) {
  return answered(description, {
    data: listOf(rows, MAX_LIMIT, 'What is on this page, in the order asked for.'),
    nextCursor: {
      ...CURSOR_SCHEMA,
      type: ['string', 'null'],
      description: 'Pass it as `cursor` for the next page; null on the last.',
      examples: [cursorExample],
    },
  });
}
