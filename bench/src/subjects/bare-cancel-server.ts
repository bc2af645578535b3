import { createServer, type ServerResponse } from 'node:http';
import { openForCancels } from './sqlite-cancel.ts';

/**
 * The limit of runtime and disk together: a server that cancels whatever it is asked to by the statements of the service,
 * all that wait in one commit, and knows neither keys nor errors nor a log.
 */
const [path = '', store = '', port] = process.argv.slice(2);
const cancel = openForCancels(path, BigInt(store));

let waiting: Array<{ id: bigint; response: ServerResponse }> = [];

function cancelTogether(): void {
  const group = waiting;
  waiting = [];
  cancel(group.map(({ id }) => id));
  for (const { response } of group) response.writeHead(204).end();
}

const server = createServer(({ method, url }, response) => {
  if (method !== 'DELETE') return void response.end();
  const id = BigInt(String(url).slice(String(url).lastIndexOf('/') + 1));
  if (waiting.push({ id, response }) === 1) setImmediate(cancelTogether);
});
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
