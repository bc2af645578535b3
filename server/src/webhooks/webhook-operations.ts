import { randomBytes } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import { type Field, text } from '../http/fields/field.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import type { Services } from '../http/openapi/operation.ts';
import { problemWithUrl } from './private-addresses.ts';
import { webhook } from './shown-webhook.ts';

export interface WebhookServices extends Services {
  readonly webhooks: { readonly allowPrivate: boolean; readonly deliveries: { wake(): void } };
}

export const webhookId: Field<string> = {
  ...text({ maxLength: 64, pattern: '^wh_\\w{1,40}$' }, 'Identifier of the webhook.', webhook.id),
  schema: { type: 'string', minLength: 1, maxLength: 64 },
};

export const invalidUrlAnswer = {
  422: errorAnswer('Nothing can be sent to that address.', ['invalid_webhook_url']),
};

export function refuseUrl(url: string | undefined, allowPrivate: boolean): void {
  const problem = url === undefined ? undefined : problemWithUrl(url, allowPrivate);
  if (problem !== undefined)
    throw new ApiError('invalid_webhook_url', `Nothing can be sent there: ${problem}.`);
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
