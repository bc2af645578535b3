import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { authenticationChecks } from './authentication.ts';
import { endpointChecks } from './endpoints.ts';
import { errorChecks } from './errors.ts';
import { petChecks } from './pets.ts';
import { resourceChecks } from './resources.ts';
import { serviceChecks } from './service.ts';
import { stateChecks } from './states.ts';

/** What the specification says, and nothing else. Runs first, while the store is as it was found. */
export function specChecks(suite: Suite, { store, staging, given, named }: Context): void {
  serviceChecks(suite, store, given, staging);
  resourceChecks(suite, store);
  stateChecks(suite, store);
  endpointChecks(suite, store, named);
  petChecks(suite, store);
  authenticationChecks(suite, store);
  errorChecks(suite, store);
}
