import { createServer, type ServerResponse } from 'node:http';
import { openForPlacements, type Wanted } from './sqlite-place.ts';

/**
 * The limit of runtime and disk together: a server that places whatever it is asked to by the statements of the service,
 * all that wait in one commit, and knows neither keys nor errors nor a log.
 */
const [path = '', store = '', port] = process.argv.slice(2);
const place = openForPlacements(path, BigInt(store));

interface Waiting extends Wanted {
  readonly response: ServerResponse;
}
let waiting: Waiting[] = [];

function placeTogether(): void {
  const group = waiting;
  waiting = [];
  const answers = place(group);
  for (const [index, { response }] of group.entries()) {
    const body = answers[index] as string;
    response
      .writeHead(201, ['content-type', 'application/json', 'content-length', String(body.length)])
      .end(body);
  }
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.end();
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { petId, quantity } = JSON.parse(text) as { petId: number; quantity: number };
    if (waiting.push({ petId: BigInt(petId), quantity: BigInt(quantity), response }) === 1)
      setImmediate(placeTogether);
  });
});
server.keepAliveTimeout = 72_000;
server.listen(Number(port), '127.0.0.1');
