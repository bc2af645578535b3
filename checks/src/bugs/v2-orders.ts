import type { Bug, CallService } from './bug.ts';
import { editHead, editJson, idIn, succeed } from './mutations.ts';

const getOrder = (path: string, callService: CallService) =>
  callService(`GET /v2/store/orders/${idIn(path)}`);

export const v2Orders: readonly Bug[] = [
  {
    id: 'location-is-missing',
    level: 'medium',
    operation: 'v2.placeOrder',
    summary: 'The response to a placed order lacks `Location`.',
    hint: 'Look at the headers.',
    createHooks: () => editHead(201, ({ headers }) => delete headers.location),
  },
  {
    id: 'ship-date-is-ignored',
    level: 'medium',
    operation: 'v2.placeOrder',
    summary: 'A requested ship date is ignored.',
    hint: 'Send the optional fields, too.',
    createHooks: () => ({
      request(forwarded) {
        forwarded.body = forwarded.body.replace(/,\s*"shipDate":\s*"[^"]*"/, '');
      },
    }),
  },
  {
    id: 'cancelled-order-is-404',
    level: 'easy',
    operation: 'v2.getOrder',
    summary: 'A cancelled order is not found.',
    hint: 'Look at an order in each of its states.',
    createHooks: () => ({
      response(response) {
        if (response.status !== 200 || !response.body.includes('"status":"cancelled"')) return;
        response.status = 404;
        response.body =
          '{"code":"not_found","message":"The requested resource could not be found.","status":404}';
      },
    }),
  },
  {
    id: 'second-cancel-is-204',
    level: 'easy',
    operation: 'v2.cancelOrder',
    summary: 'Cancelling an order a second time returns 204.',
    hint: 'Do it again.',
    createHooks: () => ({
      response(response) {
        if (response.body.includes('"order_already_cancelled"')) succeed(response);
      },
    }),
  },
  {
    id: 'ships-twice',
    level: 'easy',
    operation: 'v2.shipOrder',
    summary: 'A shipped order can be shipped again, with 200.',
    hint: 'Do it again.',
    createHooks: () => ({
      async response(response, { path }, callService) {
        if (response.status !== 409) return;
        const { body, headers } = await getOrder(path, callService);
        if (body.includes('"status":"shipped"')) Object.assign(response, { status: 200, body, headers });
      },
    }),
  },
  {
    id: 'ship-date-stays-expected',
    level: 'hard',
    operation: 'v2.shipOrder',
    summary: 'The response to shipping an order has the expected ship date instead of the actual one.',
    hint: 'What changes in an order when it ships? Look at the response.',
    createHooks() {
      const expected = new Map<string, string | undefined>();
      return {
        async request({ path }, callService) {
          expected.set(path, /"shipDate":"[^"]*"/.exec((await getOrder(path, callService)).body)?.[0]);
        },
        response(response, { path }) {
          const date = expected.get(path);
          if (date && response.status === 200)
            response.body = response.body.replace(/"shipDate":"[^"]*"/, date);
        },
      };
    },
  },
  {
    id: 'delivered-without-shipping',
    level: 'medium',
    operation: 'v2.deliverOrder',
    summary: 'A pending order can be delivered.',
    hint: 'Which states can follow which?',
    createHooks: () => ({
      async request({ path }, callService) {
        const { body } = await getOrder(path, callService);
        if (body.includes('"status":"pending"')) await callService(`POST ${path.replace('deliver', 'ship')}`);
      },
    }),
  },
  {
    id: 'history-is-backwards',
    level: 'medium',
    operation: 'v2.getOrderHistory',
    summary: 'The history is in reverse order.',
    hint: 'Move an order through its states, then read its history.',
    createHooks: () => editJson<{ data: unknown[] }>(200, ({ data }) => void data.reverse()),
  },
];
