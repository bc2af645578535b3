import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { authenticationChecks } from './authentication.ts';
import { endpointChecks } from './endpoints.ts';
import { errorChecks } from './errors.ts';
import { petChecks } from './pets.ts';
import { resourceChecks } from './resources.ts';
import { serviceChecks } from './service.ts';
import { stateChecks } from './states.ts';

/** Only statements of the specification. Runs first, before other checks change the store. */
export function specChecks(suite: Suite, { store, staging, givenUrl, named }: Context): void {
  serviceChecks(suite, store, givenUrl, staging);
  resourceChecks(suite, store);
  stateChecks(suite, store);
  endpointChecks(suite, store, named);
  petChecks(suite, store);
  authenticationChecks(suite, store);
  errorChecks(suite, store);
}
