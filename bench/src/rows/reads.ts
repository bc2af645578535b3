import { CONNECTIONS, encodeRequest, openSide, sendRequest } from '../load.ts';
import { compare, type Effort, type Row } from '../measure/compare.ts';
import { startBare } from '../subjects/bare.ts';
import { startJsonServer } from '../subjects/json-server.ts';
import { seedStores, startPetstore } from '../subjects/petstore.ts';
import { smallStore } from './stores.ts';

const LIST = '/v1/store/orders';
const LISTED = 100;
const LIMIT = 2;

const becauseOfEachRequest = 'key lookup, log line, metrics, inspector record';
const requests = [
  { what: 'list of 100', path: LIST },
  { what: '304', path: LIST, status: 304 },
  { what: '`GET /v1/pets`', path: '/v1/pets' },
  {
    what: '`GET /v1/pets` in 64 stores',
    path: '/v1/pets',
    inStores: true,
    because:
      'each request looks up its own key, and is recorded for the inspector; with --no-inspector half of this',
  },
  { what: 'an order', path: '/v2/store/orders/1' },
  { what: 'a pet by id', path: '/v1/pets/1' },
];

/** Compares small responses with a node:http server that sends the same bytes, and the list also with json-server. */
export async function reads(effort: Effort): Promise<Row[]> {
  const { location, key } = await smallStore();
  await using petstore = await startPetstore(location, key);
  // A store for each connection: requests with the same key share lookups.
  const keys = await seedStores(location, CONNECTIONS, 1);
  const rows: Row[] = [];
  for (const { what, path, status = 200, inStores = false, because = becauseOfEachRequest } of requests) {
    const { etag = '' } = (await sendRequest(petstore.port, path, { key })).headers;
    const conditional = status === 304 ? { headers: { 'If-None-Match': etag } } : {};
    const encoded = (inStores ? keys : [key]).map((each) =>
      encodeRequest(path, { key: each, ...conditional }),
    );
    const request = (connection: number) => encoded[connection % encoded.length] as Buffer;
    const response = await sendRequest(petstore.port, path, { key, ...conditional });
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${response.body}`);
    await using bare = await startBare(response);
    using ours = await openSide('petstore', petstore, status, request);
    using theirs = await openSide('node:http', bare, status, request);
    rows.push(await compare({ what: `${what} vs. node:http`, limit: LIMIT, because }, ours, theirs, effort));
  }
  const orders = JSON.parse((await sendRequest(petstore.port, LIST, { key })).body.toString());
  if (orders.length !== LISTED) throw new Error(`the list has ${orders.length} orders`);
  await using jsonServer = await startJsonServer(orders);
  const request = encodeRequest(LIST, { key });
  using ours = await openSide('petstore', petstore, 200, () => request);
  using theirs = await openSide('json-server', jsonServer, 200, () => encodeRequest('/orders'));
  const because = 'node:http alone takes about half of this limit';
  const about = { what: 'list of 100 vs. json-server', limit: 0.1, because };
  return [...rows, await compare(about, ours, theirs, effort)];
}
