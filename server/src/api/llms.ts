import { passwordLimits } from '../domain/password-limits.ts';
import { DEMO_NOTICE, TITLE } from '../http/openapi/openapi.ts';
import type { Servers } from '../http/server/addresses.ts';
import type { Routes } from '../http/server/routes.ts';

export function serveLlmsText(routes: Routes, servers: Servers): void {
  const headers = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-cache', 'vary', 'Host'];
  routes.serve('/llms.txt', {
    GET: [(request) => ({ status: 200, headers, body: textFor(servers(request)) })],
  });
}

function textFor(servers: ReturnType<Servers>): string {
  const [{ origin }] = servers;
  return `# ${TITLE}

> An HTTP/JSON API for the pets and orders of one store. Every request carries an API key,
> \`Authorization: Bearer <API_KEY>\`, which gives access to exactly one store of one deployment.
> ${DEMO_NOTICE}

${servers.map(({ name, origin: at }) => `- ${name}: ${at}/v1`).join('\n')}

## Get an API key
If you run the service yourself, it prints a key when it starts. Otherwise sign up, with a password of ${passwordLimits.shortest} or
more characters that is not a common one. The response to the last request contains the key, once:

\`\`\`sh
post() { curl -sS -b jar -c jar -H 'Content-Type: application/json' -H 'Origin: ${new URL(origin).origin}' "$@"; }
me='{"email":"YOU@EXAMPLE.COM","password":"A LONG PASSWORD"}'
post -d "$me" ${origin}/console/api/sign-up
post -d "$me" ${origin}/console/api/sign-in
post -d '{}' ${origin}/console/api/session   # the key is firstKey.key
\`\`\`

## Place and cancel an order
\`\`\`sh
call() { curl -sS -H "Authorization: Bearer $PETSTORE_KEY" "$@"; }
call ${origin}/v1/store/orders   # all orders, in one array
call ${origin}/v2/pets           # id, name, category, status, stock
call -H 'Content-Type: application/json' -H 'Idempotency-Key: choose-one-for-each-order' \\
  -d '{"petId":1,"quantity":1}' ${origin}/v2/store/orders   # 201: the order, with its id
call -X DELETE -w '%{http_code}\\n' ${origin}/v1/store/orders/ID   # 204: cancelled; 409: already shipped
\`\`\`

## Key facts
- Ids are 64-bit integers, up to 9223372036854775807: do not parse them as floating-point numbers.
- Every error response is \`{"code":…,"message":…,"status":…}\`; branch on \`code\`.
- An order moves from pending to shipped to delivered, or from pending to cancelled. Cancelling a shipped order returns 409.
- Send an \`Idempotency-Key\` when you place an order: a retry with the same key and body does not place a second one.
- Version 1 is frozen. Version 2 is in beta; its lists are paginated: follow \`nextCursor\` until it is null.
- On staging, \`POST /v2/sandbox/reset\` replaces the contents of the store, and \`PUT /v2/sandbox/faults\` injects faults.

## Documentation
- [OpenAPI, version 1](${origin}/v1/openapi.yaml): four operations, stable
- [OpenAPI, version 2](${origin}/v2/openapi.yaml): orders and pets (beta); events, webhooks and sandbox (experimental)
- [AsyncAPI](${origin}/v2/asyncapi.yaml): the event stream
- [API catalog](${origin}/.well-known/api-catalog): these documents as links (RFC 9727)
- [API reference](${origin}/docs): both versions, interactive
- [Errors and fixes](${origin}/guides/errors), [design decisions](${origin}/guides/decisions)

## Tools
- [Model Context Protocol](${origin}/mcp): the same operations as tools, over streamable HTTP, with the same key (experimental);
  \`petstore mcp\` serves the same tools over standard input and output
`;
}
