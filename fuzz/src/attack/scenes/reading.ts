import type { Program, StartedDeployment } from '../../program/start-program.ts';
import { createKey, join } from '../../walk/people.ts';
import { flood } from '../flood.ts';
import type { Scene } from '../scene.ts';
import { copyRow, randomHex, seedOrders } from '../seed.ts';

export const production = ({ deployments }: Program) => deployments[0] as StartedDeployment;
const get = (origin: string, path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`, ...headers, '', ''].join('\r\n');

/** The greatest answer that is not yet a page too large. */
const LARGEST_ANSWER = 1024 * 1024;

export const reading: readonly Scene[] = [
  {
    name: '1,000 pipelined requests for /docs/js/scalar.js, read, and 1,000 more that nobody reads',
    // The file, plain and compressed, and what waits on two connections.
    documented: 16,
    async prepare(program) {
      const { origin } = production(program);
      const request = get(origin, '/docs/js/scalar.js');
      return async () => {
        const [read] = await Promise.all([
          flood(origin, request, { connections: 1, pipelined: 1000 }),
          flood(origin, request, { connections: 1, pipelined: 1000, reads: false }),
        ]);
        return { text: `${read.answers} answers, ${read.megabytes} MB sent` };
      };
    },
  },
  {
    name: '80 connections with 400 pipelined pages of 1,000 orders each',
    // At most a megabyte waits on each connection, and 5,000 requests for their turn.
    documented: 80 + 20,
    async prepare(program) {
      const { origin } = production(program);
      const key = seedOrders(program, 20_000);
      const request = get(origin, '/v2/store/orders?limit=1000', `Authorization: Bearer ${key}`);
      return async () => {
        const { answers, megabytes } = await flood(origin, request, { connections: 80, pipelined: 400 });
        return { text: `${answers} pages, ${megabytes} MB sent` };
      };
    },
  },
  {
    name: 'the list of 20,000 keys, 100 times',
    documented: 0,
    async prepare(program) {
      const { origin } = production(program);
      const person = await join(origin);
      const { id } = await createKey(person, {});
      copyRow(program, 'keys', `id = '${id}'`, 20_000, (index) => ({
        id: `key_attack${index}`,
        hash: randomHex(32),
      }));
      const request = get(origin, '/console/api/keys', `Cookie: ${person.cookie}`);
      return async () => {
        const { answers, megabytes } = await flood(origin, request, { connections: 10, pipelined: 10 });
        const each = (megabytes * 1024 * 1024) / Math.max(1, answers);
        return {
          text: `${answers} answers of ${Math.round(each / 1024)} KB`,
          missed: each > LARGEST_ANSWER ? 'the list comes in one piece' : undefined,
        };
      };
    },
  },
  {
    name: '/v2/pets?category=zzz with 20,000 pets, 1,000 times',
    documented: 0,
    async prepare(program) {
      const { origin, key } = production(program);
      const first = 'id = 1 AND store_id = (SELECT min(id) FROM stores)';
      copyRow(program, 'pets', first, 20_000, (index) => ({ id: 1000 + index, name: `pet ${index}` }));
      const request = get(origin, '/v2/pets?category=zzz', `Authorization: Bearer ${key}`);
      return async () => {
        const { answers } = await flood(origin, request, { connections: 10, pipelined: 100 });
        return {
          text: `${answers} of 1000 answered`,
          missed: answers < 1000 ? 'not all were answered in time' : undefined,
        };
      };
    },
  },
];
