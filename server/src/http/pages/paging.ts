import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { type Field, integer } from '../fields/field.ts';
import { listOf, textHeader } from '../openapi/openapi.ts';
import { errorResponse } from '../openapi/responses.ts';
import { responseSchema } from '../openapi/schemas.ts';

/** 32 bytes in base64url. */
const CURSOR_LENGTH = 43;
export const CURSOR_SCHEMA = {
  type: 'string',
  minLength: CURSOR_LENGTH,
  maxLength: CURSOR_LENGTH,
  pattern: '^[A-Za-z0-9_-]+$',
} as const;

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1000;

export const limit = integer([1, MAX_LIMIT], 'Maximum number of items per page.', DEFAULT_LIMIT, {
  default: DEFAULT_LIMIT,
});

/** Accepts any text: `cursors.read` verifies the signature. No example: its signature would not be valid. */
const cursor: Field<string> = {
  description: 'The `nextCursor` of the previous page. Keep all other parameters except `limit` the same.',
  schema: CURSOR_SCHEMA,
  expected: 'the nextCursor of the previous page',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

export const paging = { limit, cursor };

export const cursorExample = 'AAABm4YxPwAAAAAAAAAAKZf2kQ3vXc8yTq1bJ0sWm9E';

export const nextLinkHeader = (
  path: string,
  example = `<${path}?limit=1&cursor=${cursorExample}>; rel="next"`,
) => textHeader('URL of the next page, as `rel="next"`; absent on the last page.', 1024, example);

export const invalidQuery = errorResponse(
  'A parameter is unknown or malformed, or the cursor does not match the other parameters.',
  ['invalid_parameter', 'invalid_cursor'],
);

export function pageSchema(description: string, rows: string) {
  return responseSchema(description, {
    data: listOf(rows, MAX_LIMIT, 'The items of this page.'),
    nextCursor: {
      ...CURSOR_SCHEMA,
      type: ['string', 'null'],
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
      examples: [cursorExample],
    },
  });
}

const POSITION_BYTES = 16;
const SIGNATURE_BYTES = 16;

/** The meaning of the two numbers depends on the list. */
export type Position = readonly [bigint, bigint];

/** Cursors are signed for one store and one set of filters; every replica can verify them. */
export function cursorsFor(secret: string) {
  const write = (purpose: string, [first, second]: Position): string => {
    const position = Buffer.alloc(POSITION_BYTES);
    position.writeBigInt64BE(first, 0);
    position.writeBigInt64BE(second, 8);
    const signature = createHmac('sha256', secret).update(`${purpose}\0`).update(position).digest();
    return Buffer.concat([position, signature.subarray(0, SIGNATURE_BYTES)]).toString('base64url');
  };
  return {
    write,
    read(purpose: string, text: string): Position {
      const bytes = Buffer.alloc(POSITION_BYTES + SIGNATURE_BYTES);
      bytes.write(text, 'base64url');
      const position = [bytes.readBigInt64BE(0), bytes.readBigInt64BE(8)] as const;
      const [given, expected] = [Buffer.from(text), Buffer.from(write(purpose, position))];
      if (given.length !== CURSOR_LENGTH || !timingSafeEqual(given, expected))
        throw new ApiError('invalid_cursor');
      return position;
    },
  };
}

export type Cursors = ReturnType<typeof cursorsFor>;
