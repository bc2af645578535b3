import type { Bug, CallService } from './bug.ts';
import { editJson, idIn } from './mutations.ts';

const MAX_QUANTITY = 1_000;

/** Adds stock to a pet behind the scenes. */
export async function addStock(petId: string, units: number, callService: CallService): Promise<void> {
  const { body } = await callService(`GET /v2/pets/${petId}`);
  await callService(`PATCH /v2/pets/${petId}`, `{"stock":${stockIn(body) + units}}`);
}

export const stockIn = (body: string) => Number(/"stock":(\d+)/.exec(body)?.[1]);

export function fieldsOf(body: string): { petId: string; quantity: number } {
  const [petId = '', quantity] = ['petId', 'quantity'].map(
    (name) => new RegExp(`"${name}":\\s*(\\d+)`).exec(body)?.[1],
  );
  return { petId, quantity: Number(quantity) };
}

export const v2Stock: readonly Bug[] = [
  {
    id: 'stock-is-not-taken',
    level: 'medium',
    operation: 'v2.placeOrder',
    summary: 'An order does not reduce the stock.',
    hint: 'Count what is left.',
    createHooks: () => ({
      async response(response, _, callService) {
        if (response.status !== 201 || 'idempotent-replayed' in response.headers) return;
        const { petId, quantity } = fieldsOf(response.body);
        await addStock(petId, quantity, callService);
      },
    }),
  },
  {
    id: 'cancelled-stock-is-lost',
    level: 'medium',
    operation: 'v2.cancelOrder',
    summary: 'A cancelled order does not return its units to the stock.',
    hint: 'Count before and after.',
    createHooks: () => ({
      async response(response, { path }, callService) {
        if (response.status !== 204) return;
        const { petId, quantity } = fieldsOf((await callService(`GET /v2/store/orders/${idIn(path)}`)).body);
        await addStock(petId, -quantity, callService);
      },
    }),
  },
  {
    id: 'sells-more-than-there-is',
    level: 'medium',
    operation: 'v2.placeOrder',
    summary: 'An order that exceeds the stock is accepted.',
    hint: 'Order too much.',
    createHooks: () => ({
      async request({ body }, callService) {
        const { petId, quantity } = fieldsOf(body);
        const stock = stockIn((await callService(`GET /v2/pets/${petId}`)).body);
        if (quantity > stock && quantity <= MAX_QUANTITY)
          await addStock(petId, quantity - stock, callService);
      },
    }),
  },
  {
    id: 'quantity-0-is-1',
    level: 'medium',
    operation: 'v2.placeOrder',
    summary: 'An order with quantity 0 is accepted as 1.',
    hint: 'Try the limits of every number, and one past them.',
    createHooks: () => ({
      request(forwarded) {
        forwarded.body = forwarded.body.replace(/"quantity":\s*0(?=\s*[,}])/, '"quantity":1');
      },
    }),
  },
  {
    id: 'sold-out-is-available',
    level: 'medium',
    operation: 'v2.getPet',
    summary: 'A pet is `available` although its stock is 0.',
    hint: 'Sell the last one.',
    createHooks: () =>
      editJson<{ status: string }>(200, (pet) => {
        pet.status = 'available';
      }),
  },
  {
    id: 'summary-hides-cancelled',
    level: 'medium',
    operation: 'v2.getSummary',
    summary: 'The summary counts cancelled orders as pending.',
    hint: 'Compare the totals with the list.',
    createHooks: () =>
      editJson<{ orders: Record<string, number> }>(200, ({ orders }) => {
        const { pending = 0, cancelled = 0 } = orders;
        Object.assign(orders, { pending: pending + cancelled, cancelled: 0 });
      }),
  },
];
