import { createKey, signUpAndIn } from '../../walk/accounts.ts';
import { attempt, countStatuses, head, runClients } from '../clients.ts';
import { flood } from '../flood.ts';
import { production, type Scene } from '../scene.ts';
import { copyRow, largestScript, randomHex, seedOrders } from '../seed.ts';

/** The largest response that is not too large for one page. */
const LARGEST_RESPONSE = 1024 * 1024;
const CLIENTS = 10;

export const reading: readonly Scene[] = [
  {
    name: '{n} pipelined requests for the largest script, and as many that are never read',
    count: 1_000,
    // The file, plain and compressed, and the unsent data of two connections.
    allowedMegabytes: () => 16,
    async prepare(program, count) {
      const { origin } = production(program);
      const request = head(origin, `GET ${await largestScript(origin)}`);
      return async () => {
        const [read] = await Promise.all([
          flood(origin, request, { connections: 1, pipelined: count }),
          flood(origin, request, { connections: 1, pipelined: count, reads: false }),
        ]);
        return {
          text: `${read.responses} response${read.responses === 1 ? '' : 's'}, ${read.megabytes} MB sent`,
        };
      };
    },
  },
  {
    name: '{n} connections with 400 pipelined pages of 1,000 orders each',
    count: 80,
    // At most a megabyte waits on each connection.
    allowedMegabytes: (count) => count,
    async prepare(program, count) {
      const { origin } = production(program);
      const key = seedOrders(program, 20_000);
      const request = head(origin, 'GET /v2/store/orders?limit=1000', `Authorization: Bearer ${key}`);
      return async () => {
        const { responses, megabytes } = await flood(origin, request, { connections: count, pipelined: 400 });
        return { text: `${responses} pages, ${megabytes} MB sent` };
      };
    },
  },
  {
    name: 'the list of {n} keys, 100 times',
    count: 20_000,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin } = production(program);
      const person = await signUpAndIn(origin);
      const { id } = await createKey(person, {});
      copyRow(program, 'keys', `id = '${id}'`, count, (index) => ({
        id: `key_attack${index}`,
        hash: randomHex(32),
      }));
      return async () => {
        const responses = await runClients(CLIENTS, 100, () =>
          attempt(origin, '/console/api/keys', { headers: { cookie: person.cookie } }),
        );
        const longest = Math.max(...responses.map(({ body }) => body.length));
        return {
          text: `${countStatuses(responses.map(({ status }) => status))}, ${Math.round(longest / 1024)} KB at most`,
          problem: longest > LARGEST_RESPONSE ? 'the list is not paginated' : undefined,
        };
      };
    },
  },
  {
    name: '/v2/pets?category=zzz with {n} pets, 1,000 times',
    count: 20_000,
    allowedMegabytes: () => 0,
    async prepare(program, count) {
      const { origin, key } = production(program);
      const first = 'id = 1 AND store_id = (SELECT min(id) FROM stores)';
      copyRow(program, 'pets', first, count, (index) => ({ id: 1000 + index, name: `pet ${index}` }));
      return async () => {
        const responses = await runClients(CLIENTS, 1_000, () =>
          attempt(origin, '/v2/pets?category=zzz', { key }),
        );
        const succeeded = responses.filter(({ status }) => status === 200).length;
        return {
          text: `${succeeded} of 1000 succeeded`,
          problem: succeeded < 1000 ? 'not all succeeded in time' : undefined,
        };
      };
    },
  },
];
