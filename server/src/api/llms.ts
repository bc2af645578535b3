import type { Servers } from '../deployment.ts';
import type { Routes } from '../http/server/routes.ts';

/** `/llms.txt`: what this is and where everything stands, for programs that read. */
export function serveLlmsText(routes: Routes, servers: Servers): void {
  const headers = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-cache'];
  routes.serve('/llms.txt', { GET: [() => ({ status: 200, headers, body: textFor(servers()) })] });
}

function textFor(running: ReturnType<Servers>): string {
  const { origin } = running[0] ?? { origin: '' };
  return `# Pet Store

> An HTTP/JSON order service: the pets and orders of one store. Every request carries an API key,
> \`Authorization: Bearer <API_KEY>\`, which opens exactly one store of one deployment.

${running.map(({ name, origin: at }) => `- ${name}: ${at}`).join('\n')}

## What to know
- Ids are 64-bit integers, exact to 9223372036854775807: do not read them into floating-point numbers.
- Every answer that is not a success is \`{"code":…,"message":…,"status":…}\`; decide by \`code\`.
- An order is pending, then shipped, then delivered; or pending, then cancelled. A shipped order cannot be cancelled: 409.
- Place orders with an \`Idempotency-Key\`: a retry with the same key and body makes no second order.
- Version 1 is frozen. Version 2 is beta: lists come in pages, follow \`nextCursor\` until it is null.
- On staging, \`POST /v2/sandbox/reset\` replaces everything in the store, and \`PUT /v2/sandbox/faults\` makes requests fail.

## Documents
- [OpenAPI, version 2](${origin}/v2/openapi.yaml): orders and pets, pages, history, events, webhooks, sandbox
- [OpenAPI, version 1](${origin}/v1/openapi.yaml): four operations
- [AsyncAPI](${origin}/v2/asyncapi.yaml): events
- [Reference](${origin}/docs/): both, to read and to try

## Tools
- [Model Context Protocol](${origin}/mcp): the same operations as tools, over streamable HTTP, with the same key (experimental)
`;
}
