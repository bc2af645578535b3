import { parseInt64 } from '../http/content/int64.ts';
import type { Field } from '../http/fields/field.ts';

const MAX_INT64 = '9223372036854775807';

const revision = (text: unknown) => {
  const value = typeof text === 'string' ? parseInt64(text) : undefined;
  return value !== undefined && value >= 0n ? value : undefined;
};

/** The id of an event, which is a revision of the store. */
export const after: Field<bigint> = {
  description:
    'Only what happened after this event. 0 is the beginning of the log. Without it a page begins there too, and a stream with what happens from now on.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_INT64.length, pattern: '^(0|[1-9][0-9]*)$' },
  example: '0',
  read: revision,
  parse: revision,
  expected: 'the id of an event, or 0',
};
