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

/** Each list knows what the two numbers mean. */
export type Position = readonly [bigint, bigint];

/** Sealed for one store and one set of filters: any replica knows them, and nobody can make one up. */
export function cursorsFor(secret: string) {
  const write = (purpose: string, [first, second]: Position): string => {
    const position = Buffer.alloc(POSITION_BYTES);
    position.writeBigInt64BE(first, 0);
    position.writeBigInt64BE(second, 8);
    const seal = createHmac('sha256', secret).update(`${purpose}\0`).update(position).digest();
    return Buffer.concat([position, seal.subarray(0, SEAL_BYTES)]).toString('base64url');
  };
  return {
    write,
    read(purpose: string, text: string): Position {
      const bytes = Buffer.alloc(POSITION_BYTES + SEAL_BYTES);
      bytes.write(text, 'base64url');
      const position = [bytes.readBigInt64BE(0), bytes.readBigInt64BE(8)] as const;
      const [given, ours] = [Buffer.from(text), Buffer.from(write(purpose, position))];
      if (given.length !== LENGTH || !timingSafeEqual(given, ours)) throw new ApiError('invalid_cursor');
      return position;
    },
  };
}

export type Cursors = ReturnType<typeof cursorsFor>;
