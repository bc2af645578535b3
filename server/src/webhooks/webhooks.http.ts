import { randomBytes } from 'node:crypto';
import { findRows } from '../database/rows.ts';
import { randomBase62 } from '../domain/key-format.ts';
import { ApiError, firstOrNotFound } from '../http/errors.ts';
import { headerRef } from '../http/openapi/openapi.ts';
import { errorResponse, response, standardHeaders } from '../http/openapi/responses.ts';
import { bodyWith, locationHeader, operation } from '../http/operations/operation.ts';
import { nextLinkHeader } from '../http/pages/paging.ts';
import { jsonResponse } from '../http/server/request.ts';
import { deliveryOperations } from './deliveries.http.ts';
import { deliverySchemas } from './delivery-view.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rollWebhookSecret,
  webhookColumns,
} from './manage-webhooks.ts';
import { problemWithUrl } from './private-addresses.ts';
import {
  newWebhookExample,
  showWebhook,
  type WebhookServices,
  webhookChangeFields,
  webhookExample,
  webhookFields,
  webhookId,
  webhookInputExample,
  webhookSchemas,
} from './webhook-view.ts';

const invalidUrlResponse = {
  422: errorResponse('The URL is not allowed.', ['invalid_webhook_url']),
};

function rejectUrl(url: string | undefined, allowPrivate: boolean): void {
  const problem = url === undefined ? undefined : problemWithUrl(url, allowPrivate);
  if (problem !== undefined) throw new ApiError('invalid_webhook_url', `The URL is not allowed: ${problem}.`);
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

const webhookOperations = [
  operation({
    operationId: 'listWebhooks',
    at: 'GET /webhooks',
    summary: 'List webhooks',
    description: 'Returns all webhooks of the store, oldest first, without their secrets.',
    responses: {
      200: response('The webhooks.', 'WebhookPage', { data: [webhookExample], nextCursor: null }),
    },
    async handle({ storeId }, { db }: WebhookServices) {
      const rows = await db.all(listWebhooks, { storeId });
      return jsonResponse({ data: rows.map(showWebhook), nextCursor: null });
    },
  }),
  operation({
    operationId: 'createWebhook',
    at: 'POST /webhooks',
    summary: 'Create a webhook',
    description:
      'The webhook receives events from now on. Its signing secret is shown only in this response. A store has up to 10 webhooks, unless the deployment sets another limit.',
    body: bodyWith('WebhookInput', webhookFields, webhookInputExample),
    responses: {
      201: response('The webhook is created.', 'WebhookWithSecret', newWebhookExample, {
        Location: headerRef('WebhookLocation'),
      }),
      409: errorResponse('The webhook limit of the store is reached.', ['webhook_limit_reached']),
      ...invalidUrlResponse,
    },
    async handle({ request, storeId, body }, { writer, effectiveTime, webhooks, quotas }: WebhookServices) {
      const { url, types = [] } = body;
      rejectUrl(url, webhooks.allowPrivate);
      const [secret, webhookId] = [newSecret(), `wh_${randomBase62(16)}`];
      const at = BigInt(effectiveTime(request));
      const created = await writer.apply(createWebhook, {
        storeId,
        webhookId,
        url,
        types: types.join(),
        secret,
        at,
        maxWebhooks: quotas.webhooks,
      });
      webhooks.deliveries.wake();
      return jsonResponse({ ...showWebhook(created), secret }, 201, [
        'location',
        `/v2/webhooks/${webhookId}`,
      ]);
    },
  }),
  operation({
    operationId: 'getWebhook',
    at: 'GET /webhooks/{webhookId}',
    summary: 'Get a webhook',
    description: 'Returns the webhook without its secret.',
    path: { webhookId },
    responses: { 200: response('The webhook.', 'Webhook', webhookExample) },
    async handle({ storeId, webhookId }, { db }: WebhookServices) {
      const where = { store_id: storeId, id: webhookId };
      return jsonResponse(
        showWebhook(firstOrNotFound(await findRows(db, 'webhooks', where, webhookColumns))),
      );
    },
  }),
  operation({
    operationId: 'changeWebhook',
    at: 'PATCH /webhooks/{webhookId}',
    summary: 'Update a webhook',
    description: 'Changes the given fields. Set `active` to pause or resume the webhook.',
    path: { webhookId },
    body: bodyWith(
      'WebhookPatch',
      webhookChangeFields,
      { active: false },
      { allowEmpty: false, alsoAs: ['application/merge-patch+json'] },
    ),
    responses: {
      200: response('The updated webhook.', 'Webhook', { ...webhookExample, active: false }),
      ...invalidUrlResponse,
    },
    async handle({ storeId, webhookId, body }, { writer, webhooks }: WebhookServices) {
      const { url, types, active } = body;
      rejectUrl(url, webhooks.allowPrivate);
      const change = { url, types: types?.join(), active: active === undefined ? undefined : BigInt(active) };
      const changed = await writer.apply(changeWebhook, { storeId, webhookId, ...change });
      webhooks.deliveries.wake();
      return jsonResponse(showWebhook(changed));
    },
  }),
  operation({
    operationId: 'deleteWebhook',
    at: 'DELETE /webhooks/{webhookId}',
    summary: 'Delete a webhook',
    description: 'Stops all deliveries to the webhook and discards pending ones.',
    path: { webhookId },
    responses: { 204: { description: 'The webhook is deleted.', headers: standardHeaders } },
    async handle({ storeId, webhookId }, { writer }: WebhookServices) {
      await writer.apply(deleteWebhook, { storeId, webhookId });
      return { status: 204 };
    },
  }),
  operation({
    operationId: 'rollWebhookSecret',
    at: 'POST /webhooks/{webhookId}/roll-secret',
    summary: 'Roll the secret of a webhook',
    description:
      'Creates a new secret. For 24 hours messages are signed with both secrets, so that receivers can switch without rejecting any.',
    path: { webhookId },
    responses: {
      200: response(
        'The webhook with its new secret, shown only once.',
        'WebhookWithSecret',
        newWebhookExample,
      ),
    },
    async handle({ storeId, webhookId }, { writer, clock }: WebhookServices) {
      const secret = newSecret();
      const rolled = { storeId, webhookId, secret, at: BigInt(clock()) };
      return jsonResponse({ ...showWebhook(await writer.apply(rollWebhookSecret, rolled)), secret });
    },
  }),
];

export const webhooksFeature = {
  tag: 'webhooks',
  stability: 'experimental',
  operations: [...webhookOperations, ...deliveryOperations],
  schemas: { ...webhookSchemas, ...deliverySchemas },
  headers: {
    DeliveriesLink: nextLinkHeader(`/v2/webhooks/${webhookExample.id}/deliveries`),
    WebhookLocation: locationHeader(`/v2/webhooks/${webhookExample.id}`),
  },
};
