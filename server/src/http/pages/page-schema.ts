import { answered } from '../openapi/document-parts.ts';
import { schemaRef } from '../openapi/openapi.ts';
import { CURSOR_SCHEMA } from './cursor.ts';
import { cursorExample, MAX_LIMIT } from './paging.ts';

export function pageSchema(description: string, rows: string) {
  return answered(description, {
    data: {
      type: 'array',
      items: schemaRef(rows),
      maxItems: MAX_LIMIT,
      description: 'What is on this page, in the order asked for.',
    },
    nextCursor: {
      ...CURSOR_SCHEMA,
      type: ['string', 'null'],
      description: 'Pass it as `cursor` for the next page; null on the last.',
      examples: [cursorExample],
    },
  });
}
