import { expect } from 'vitest';
import type { TestStore } from '../../support/service.ts';
import { eventually } from './eventually.ts';
import { listedIds, oneOfEach, type Reachable, sendRequest } from './requests.ts';

export const ready = (service: Reachable) => sendRequest(service, 'GET /readyz');

/** Verifies the store after the service recovered: everything works, and nothing is missing. */
export async function expectRecovery(service: Reachable, store: TestStore, listed: number): Promise<void> {
  await eventually(
    () => ready(service),
    ({ status }) => status === 200,
  );
  await eventually(
    () => oneOfEach(service, store.key),
    (responses) => responses.every(({ status }) => status !== 503),
  );
  // One was placed and one cancelled, at least once each.
  expect((await listedIds(service, store.key)).length).toBeGreaterThanOrEqual(listed);
}
