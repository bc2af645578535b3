import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';

const POSITION_BYTES = 16;
const SEAL_BYTES = 16;
const LENGTH = 43;
export const CURSOR_SCHEMA = {
  type: 'string',
  minLength: LENGTH,
  maxLength: LENGTH,
  pattern: '^[A-Za-z0-9_-]+$',
} as const;
const shape = new RegExp(CURSOR_SCHEMA.pattern);

/** Each list knows what the two numbers mean. */
export type Position = readonly [bigint, bigint];

/** Sealed for one store and one set of filters: any replica knows them, and nobody can make one up. */
export function cursorsFor(secret: string) {
  const seal = (purpose: string, position: Buffer) =>
    createHmac('sha256', secret)
      .update(purpose)
      .update('\0')
      .update(position)
      .digest()
      .subarray(0, SEAL_BYTES);

  return {
    write(purpose: string, [first, second]: Position): string {
      const position = Buffer.alloc(POSITION_BYTES);
      position.writeBigInt64BE(first, 0);
      position.writeBigInt64BE(second, 8);
      return Buffer.concat([position, seal(purpose, position)]).toString('base64url');
    },
    read(purpose: string, text: string): Position {
      const bytes = Buffer.from(shape.test(text) ? text : '', 'base64url');
      const position = bytes.subarray(0, POSITION_BYTES);
      const isOurs =
        bytes.length === POSITION_BYTES + SEAL_BYTES &&
        bytes.toString('base64url') === text &&
        timingSafeEqual(bytes.subarray(POSITION_BYTES), seal(purpose, position));
      if (!isOurs) throw new ApiError('invalid_cursor');
      return [position.readBigInt64BE(0), position.readBigInt64BE(8)];
    },
  };
}

export type Cursors = ReturnType<typeof cursorsFor>;
