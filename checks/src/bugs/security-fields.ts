import type { Bug } from './bug.ts';
import { readJson } from './mutations.ts';
import { addStock, fieldsOf, stockIn } from './v2-stock.ts';

type Json = Record<string, unknown>;

/** Splits a JSON body into a field that clients may not set and the rest; undefined if the field is missing. */
function splitField(body: string, name: string): { rest: string; value: unknown } | undefined {
  try {
    const { [name]: value, ...rest } = readJson(body) as Json;
    return value === undefined ? undefined : { rest: JSON.stringify(rest), value };
  } catch {
    return undefined;
  }
}

/** The steps from pending to a status. */
const stepsTo: Readonly<Record<string, readonly string[]>> = {
  shipped: ['ship'],
  delivered: ['ship', 'deliver'],
};

/** Fields that clients can set or see, and business limits. */
export const securityOfFields: readonly Bug[] = [
  {
    id: 'client-sets-the-status',
    level: 'medium',
    owasp: 'API3:2023',
    operation: 'v2.placeOrder',
    summary: 'A new order takes its `status` from the client.',
    hint: 'Send a field that only the service may set.',
    createHooks: () => ({
      request(forwarded) {
        forwarded.body = splitField(forwarded.body, 'status')?.rest ?? forwarded.body;
      },
      async response(response, { body }, callService) {
        const { value } = splitField(body, 'status') ?? {};
        if (response.status !== 201 || value === undefined) return;
        const path = `/v2/store/orders/${/"id":(\d+)/.exec(response.body)?.[1]}`;
        for (const step of stepsTo[String(value)] ?? []) await callService(`POST ${path}/${step}`);
        response.body = (await callService(`GET ${path}`)).body;
      },
    }),
  },
  {
    id: 'client-sets-the-time',
    level: 'medium',
    owasp: 'API3:2023',
    operation: 'v2.placeOrder',
    summary: 'A new order takes `placedAt` from the client.',
    hint: "Send a response's fields back in a request.",
    createHooks: () => ({
      request(forwarded) {
        forwarded.body = splitField(forwarded.body, 'placedAt')?.rest ?? forwarded.body;
      },
      response(response, { body }) {
        const { value } = splitField(body, 'placedAt') ?? {};
        if (response.status !== 201 || typeof value !== 'string') return;
        response.body = response.body.replace(
          /"placedAt":"[^"]*"/,
          () => `"placedAt":${JSON.stringify(value)}`,
        );
      },
    }),
  },
  {
    id: 'client-sells-a-pet-by-status',
    level: 'hard',
    owasp: 'API3:2023',
    operation: 'v2.changePet',
    summary: 'A pet takes its `status` from the client: `sold` empties the stock.',
    hint: 'Some fields are derived from others. Try to set them.',
    createHooks: () => ({
      request(forwarded) {
        const { rest, value } = splitField(forwarded.body, 'status') ?? {};
        if (rest === undefined) return;
        forwarded.body = value === 'sold' ? JSON.stringify({ ...JSON.parse(rest), stock: 0 }) : rest;
      },
    }),
  },
  {
    id: 'secret-is-shown-again',
    level: 'easy',
    owasp: 'API3:2023',
    operation: 'v2.getWebhook',
    summary: 'The secret of a webhook is in every response that shows the webhook.',
    hint: 'What should a response not have?',
    createHooks() {
      const secrets = new Map<string, string>();
      return {
        watch({ status, body }) {
          const [, id] = /"id":"(wh_\w+)"/.exec(body) ?? [];
          const [, secret] = /"secret":"([^"]+)"/.exec(body) ?? [];
          if (status < 300 && id && secret) secrets.set(id, secret);
        },
        response(response) {
          const [, id = ''] = /"id":"(wh_\w+)"/.exec(response.body) ?? [];
          const secret = secrets.get(id);
          if (response.status === 200 && secret)
            response.body = response.body.replace(/\}$/, `,"secret":"${secret}"}`);
        },
      };
    },
  },
  {
    id: 'last-unit-sells-again',
    level: 'hard',
    owasp: 'API6:2023',
    operation: 'v2.placeOrder',
    summary: 'The last unit of a pet can be ordered any number of times.',
    hint: 'Buy the last one. Then buy it again.',
    createHooks: () => ({
      async response(response, _, callService) {
        if (response.status !== 201 || 'idempotent-replayed' in response.headers) return;
        const { petId } = fieldsOf(response.body);
        if (stockIn((await callService(`GET /v2/pets/${petId}`)).body) === 0)
          await addStock(petId, 1, callService);
      },
    }),
  },
];
