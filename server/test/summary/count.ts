import { type OrderStatus, orderStatuses } from '../../src/domain/vocabulary.ts';
import { allOrders, allPets, type Client } from '../support/v2.ts';

type Counts = Record<OrderStatus, bigint>;

interface Summary {
  orders: Counts;
  weeks: Array<{ week: string } & Counts>;
  stock: Array<{ petId: bigint; stock: bigint }>;
  revision: bigint;
}

export async function summaryOf(client: Client): Promise<Summary> {
  return (await client('GET /v2/store/summary')).json<Summary>();
}

/** What the summary should be, counted in the plainest way; the store must rest meanwhile. */
export async function naiveSummary(client: Client): Promise<Summary> {
  const [orders, pets, { headers }] = await Promise.all([
    allOrders(client),
    allPets(client),
    client('GET /v2/pets?limit=1'),
  ]);
  const countsOf = (some: typeof orders) =>
    Object.fromEntries(
      orderStatuses.map((status) => [status, BigInt(some.filter((order) => order.status === status).length)]),
    ) as Counts;
  const weeks = [...Map.groupBy(orders, ({ shipDate }) => mondayOf(shipDate))];
  return {
    orders: countsOf(orders),
    weeks: weeks.sort(([a], [b]) => (a < b ? -1 : 1)).map(([week, some]) => ({ week, ...countsOf(some) })),
    stock: pets.map(({ id: petId, stock }) => ({ petId, stock })),
    revision: BigInt(/-(\d+)"$/.exec(headers.etag as string)?.[1] ?? 0),
  };
}

/** Day by day back to a Monday. */
function mondayOf(shipDate: string): string {
  const day = new Date(shipDate);
  while (day.getUTCDay() !== 1) day.setUTCDate(day.getUTCDate() - 1);
  const text = day.toISOString();
  return text.startsWith('-') ? '0000-01-01' : text.slice(0, 10);
}
