import { ApiError } from '../http/errors.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import { EventsExpired } from './read-events.ts';

export const expiredAnswer = {
  410: errorAnswer('Events that are no longer kept. The message names the oldest that is.', [
    'events_expired',
  ]),
};

/** Says which events are kept to whoever asks for older ones. */
export function refuseExpired(error: unknown): never {
  if (!(error instanceof EventsExpired)) throw error;
  const kept = error.oldest === undefined ? 'None is kept' : `The oldest that is kept is ${error.oldest}`;
  throw new ApiError(
    'events_expired',
    `Events after that one are no longer kept. ${kept}: begin with after=0.`,
  );
}
