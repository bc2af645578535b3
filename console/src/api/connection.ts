import { sharedValue } from '../shared-value.ts';

let lastResponseAt = Date.now();

/** The time of the last response while the service is unreachable; undefined while it is reachable. */
export const unreachableSince = sharedValue<number | undefined>(undefined);

export function markReachable(): void {
  lastResponseAt = Date.now();
  unreachableSince.set(undefined);
}

export function markUnreachable(): void {
  unreachableSince.set(lastResponseAt);
}
