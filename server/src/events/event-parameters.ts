import { limit } from '../api/v2-list-parameters.ts';
import { parseInt64 } from '../http/content/int64.ts';
import type { Parameter } from '../http/content/parameters.ts';

const MAX_INT64 = '9223372036854775807';

/** The id of an event, which is a revision of the store. */
const after: Parameter<bigint> = {
  document: {
    description:
      'Only what happened after this event. 0 is the beginning of the log. Without it a page begins there too, and a stream with what happens from now on.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_INT64.length, pattern: '^(0|[1-9][0-9]*)$' },
    example: '0',
  },
  read(text) {
    const value = parseInt64(text);
    return value !== undefined && value >= 0n ? value : undefined;
  },
  expected: 'the id of an event, or 0',
};

export const eventParameters = { after, limit };
export const streamParameters = { after };
