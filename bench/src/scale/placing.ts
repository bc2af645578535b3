import { requestBytes, send } from '../load/connection.ts';

export const placing = (key: string) =>
  requestBytes('POST', '/v2/store/orders', { key, body: '{"petId":1,"quantity":1}' });

/** However many are placed, the shelf is not empty. Answers with the greatest id of an order so far. */
export async function fillShelf(port: number, key: string): Promise<number> {
  const filled = await send(port, requestBytes('PATCH', '/v2/pets/1', { key, body: '{"stock":1000000}' }));
  if (filled.status !== 200) throw new Error(`the stock was not set: ${filled.body}`);
  const { body } = await send(port, requestBytes('GET', '/v2/store/orders?sort=-id&limit=1', { key }));
  return JSON.parse(String(body)).data[0]?.id ?? 0;
}
