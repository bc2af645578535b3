import { createServer, type ServerResponse } from 'node:http';
import { type Cancelled, openForCancels } from './sqlite-cancel.ts';

/**
 * The limit of runtime and disk together: a server that cancels whatever it is asked to by the statements of the service,
 * all that wait in one commit, and knows neither keys nor errors nor a log.
 */
const [path = '', store = '', port] = process.argv.slice(2);
const storeId = BigInt(store);

const { begin, commit, counters, cancel, record, giveBack, save } = openForCancels(path);

let waiting: Array<{ id: bigint; response: ServerResponse }> = [];

function cancelTogether(): void {
  const group = waiting;
  waiting = [];
  const at = BigInt(Date.now());
  const units = new Map<bigint, bigint>();
  begin.run();
  let { revision } = counters.get(storeId) as { revision: bigint };
  for (const { id } of group) {
    revision++;
    const order = cancel.get(at, revision, at, revision, storeId, id) as unknown as Cancelled;
    const { pet_id: pet, quantity } = order;
    record.run(storeId, revision, id, at, pet, quantity, order.ship_date, order.placed_at);
    units.set(pet, (units.get(pet) ?? 0n) + quantity);
  }
  for (const [pet, quantity] of units) giveBack.run(quantity, revision, storeId, pet);
  save.run(revision, storeId);
  commit.run();
  for (const { response } of group) response.writeHead(204).end();
}

const server = createServer(({ method, url }, response) => {
  if (method !== 'DELETE') return void response.end();
  const id = BigInt(String(url).slice(String(url).lastIndexOf('/') + 1));
  if (waiting.push({ id, response }) === 1) setImmediate(cancelTogether);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
