import { randomBytes } from 'node:crypto';
import type { Database } from '../database/engine.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import type { Request } from '../http/server/request.ts';
import { problemWithUrl } from './private-addresses.ts';
import { webhook } from './shown-webhook.ts';
import { findWebhook, type Webhook } from './webhook.ts';

/** What the operations on webhooks have in common. */

/** Those who send: told that there is something to send, or that a webhook is gone. */
interface Senders {
  wake(): void;
  forget(webhookId: string): void;
}

export interface WebhookServices {
  /** Whether events may also be sent to addresses that are not public. */
  readonly allowPrivate: boolean;
  readonly jobs: Senders;
}

export const webhookIdParameter = {
  name: 'webhookId',
  in: 'path',
  required: true,
  description: 'Identifier of the webhook.',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: webhook.id,
};

/** The webhook that the path names; what cannot be an id names none. */
export function namedWebhook(request: Request) {
  const { webhookId = '' } = request.params;
  if (!/^wh_\w{1,40}$/.test(webhookId)) throw new ApiError('not_found');
  return { storeId: callerOf(request).storeId, webhookId };
}

export async function askedWebhook(db: Database, request: Request): Promise<Webhook> {
  const [found] = await db.all(findWebhook, namedWebhook(request));
  if (!found) throw new ApiError('not_found');
  return found;
}

export const invalidUrlAnswer = {
  422: errorAnswer('Nothing can be sent to that address.', ['invalid_webhook_url']),
};

export function refuseUrl(url: string | undefined, allowPrivate: boolean): void {
  const problem = url === undefined ? undefined : problemWithUrl(url, allowPrivate);
  if (problem !== undefined)
    throw new ApiError('invalid_webhook_url', `Nothing can be sent there: ${problem}.`);
}

const SECRET_BYTES = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
