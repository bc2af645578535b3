import { sharedValue } from '../watched-value.ts';

let answeredAt = Date.now();

/** The time of the last answer while the service cannot be reached, and undefined while it can. */
export const unreachableSince = sharedValue<number | undefined>(undefined);

export function noteAnswer(): void {
  answeredAt = Date.now();
  unreachableSince.set(undefined);
}

export function noteSilence(): void {
  unreachableSince.set(answeredAt);
}
