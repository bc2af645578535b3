import { sharedValue } from '../watched-value.ts';
import type { WebhookWithSecret } from './webhooks.ts';

interface UnsavedSecret {
  readonly made: WebhookWithSecret;
  readonly isRolled: boolean;
}

/** The secret of a webhook. The service tells it once, so it is kept here, on every page, until it is saved. */
export const unsavedSecret = sharedValue<UnsavedSecret | undefined>(undefined);
