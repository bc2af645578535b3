import { FOR_DEMONSTRATION, TITLE } from '../http/openapi/openapi.ts';
import type { Servers } from '../http/server/addresses.ts';
import type { Routes } from '../http/server/routes.ts';
import { passwordLimits } from '../password-limits.ts';

export function serveLlmsText(routes: Routes, servers: Servers): void {
  const headers = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-cache', 'vary', 'Host'];
  routes.serve('/llms.txt', {
    GET: [(request) => ({ status: 200, headers, body: textFor(servers(request)) })],
  });
}

function textFor(running: ReturnType<Servers>): string {
  const [{ origin }] = running;
  return `# ${TITLE}

> An HTTP/JSON order service: the pets and orders of one store. Every request carries an API key,
> \`Authorization: Bearer <API_KEY>\`, which opens exactly one store of one deployment.
> ${FOR_DEMONSTRATION}

${running.map(({ name, origin: at }) => `- ${name}: ${at}/v1`).join('\n')}

## Get a key
Whoever runs the service on their own machine finds one in what it prints at its start. Others sign up, with a password of ${passwordLimits.shortest} or
more characters that is no common one; the first look at the session shows the key, once:

\`\`\`sh
post() { curl -sS -b jar -c jar -H 'Content-Type: application/json' -H 'Origin: ${origin}' "$@"; }
me='{"email":"YOU@EXAMPLE.COM","password":"A LONG PASSWORD"}'
post -d "$me" ${origin}/console/api/sign-up
post -d "$me" ${origin}/console/api/sign-in
curl -sS -b jar -c jar ${origin}/console/api/session   # the key is firstKey.key
\`\`\`

## Place an order, and cancel it
\`\`\`sh
call() { curl -sS -H "Authorization: Bearer $PETSTORE_KEY" "$@"; }
call ${origin}/v1/store/orders   # all orders, in one array
call ${origin}/v2/pets           # id, name, category, status, stock
call -H 'Content-Type: application/json' -H 'Idempotency-Key: choose-one-for-each-order' \\
  -d '{"petId":1,"quantity":1}' ${origin}/v2/store/orders   # 201: the order, with its id
call -X DELETE -w '%{http_code}\\n' ${origin}/v1/store/orders/ID   # 204: cancelled; 409: it has shipped
\`\`\`

## What to know
- Ids are 64-bit integers, exact to 9223372036854775807: do not read them into floating-point numbers.
- Every answer that is not a success is \`{"code":…,"message":…,"status":…}\`; decide by \`code\`.
- An order is pending, then shipped, then delivered; or pending, then cancelled. A shipped order cannot be cancelled: 409.
- Place orders with an \`Idempotency-Key\`: a retry with the same key and body makes no second order.
- Version 1 is frozen. Version 2 is beta: lists come in pages, follow \`nextCursor\` until it is null.
- On staging, \`POST /v2/sandbox/reset\` replaces everything in the store, and \`PUT /v2/sandbox/faults\` makes requests fail.

## Documents
- [OpenAPI, version 1](${origin}/v1/openapi.yaml): four operations, stable
- [OpenAPI, version 2](${origin}/v2/openapi.yaml): orders and pets, pages, history, events, webhooks, sandbox (beta)
- [AsyncAPI](${origin}/v2/asyncapi.yaml): events
- [Reference](${origin}/docs): both, to read and to try
- [Decisions](${origin}/guides/decisions), [errors with their remedies](${origin}/guides/errors)

## Tools
- [Model Context Protocol](${origin}/mcp): the same operations as tools, over streamable HTTP, with the same key (experimental);
  \`petstore mcp\` is the same over standard input and output
`;
}
