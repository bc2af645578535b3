import { sharedValue } from '../shared-value.ts';
import type { WebhookWithSecret } from './webhooks.ts';

interface UnsavedSecret {
  readonly created: WebhookWithSecret;
  readonly isRotated: boolean;
}

/** A new webhook secret. The service returns it once, so it is kept in memory across pages until it is saved. */
export const unsavedSecret = sharedValue<UnsavedSecret | undefined>(undefined);
