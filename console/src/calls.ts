export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** A GET request in three languages, without dependencies; the key is read from PETSTORE_KEY. */
export function callsOf(address: string): Snippet[] {
  return [
    { name: 'curl', code: `curl '${address}' \\\n  -H "Authorization: Bearer $PETSTORE_KEY"` },
    {
      name: 'JavaScript',
      code: `const response = await fetch('${address}', {
  headers: { Authorization: \`Bearer \${process.env.PETSTORE_KEY}\` },
});
// IDs are 64-bit integers, and a number would round large ones. BigInt keeps them exact (Node 22 or later).
const exact = (name, value, context) =>
  context && /^(id|petId)$/.test(name) ? BigInt(context.source) : value;
console.log(JSON.parse(await response.text(), exact));`,
    },
    {
      name: 'Python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    '${address}',
    headers={'Authorization': 'Bearer ' + os.environ['PETSTORE_KEY']},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
    },
  ];
}

/** Shell lines that export the base URL and the key. */
export const exportLines = (apiBase: string, key = "'<API_KEY>'") =>
  `export PETSTORE_URL=${apiBase}\nexport PETSTORE_KEY=${key}`;

/** A pending and a shipped order, if the store has them. */
export interface SampleOrders {
  readonly pending: bigint | undefined;
  readonly shipped: bigint | undefined;
}

/** First requests for a new user: check the connection, list orders, cancel a pending order (204) and a shipped one (409). */
export function firstCalls({ pending, shipped }: SampleOrders): Snippet[] {
  const authorization = '-H "Authorization: Bearer $PETSTORE_KEY"';
  const cancels = [
    { id: pending, status: 204, state: 'pending' },
    { id: shipped, status: 409, state: 'shipped' },
  ].filter(({ id }) => id !== undefined);
  const forEach = (write: (cancel: (typeof cancels)[number]) => string) => cancels.map(write).join('');
  const snippets = [
    {
      name: 'curl',
      code: `# Check the connection
curl "$PETSTORE_URL/pets" ${authorization}

# List all orders
curl "$PETSTORE_URL/store/orders" ${authorization}
${forEach(
  ({ id, status, state }) => `
# Cancel a ${state} order: ${status}
curl -i -X DELETE "$PETSTORE_URL/store/orders/${id}" ${authorization}
`,
)}`,
    },
    {
      name: 'JavaScript',
      code: `const call = (method, path) =>
  fetch(process.env.PETSTORE_URL + path, {
    method,
    headers: { Authorization: \`Bearer \${process.env.PETSTORE_KEY}\` },
  });

console.log(await (await call('GET', '/pets')).text());
console.log(await (await call('GET', '/store/orders')).text());
${forEach(({ id, status, state }) => `console.log((await call('DELETE', '/store/orders/${id}')).status); // ${status}: a ${state} order\n`)}`,
    },
    {
      name: 'Python',
      code: `import os, urllib.error, urllib.request

def call(method, path):
    request = urllib.request.Request(
        os.environ['PETSTORE_URL'] + path,
        method=method,
        headers={'Authorization': 'Bearer ' + os.environ['PETSTORE_KEY']},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()

print(call('GET', '/pets'))
print(call('GET', '/store/orders'))
${forEach(({ id, status, state }) => `print(call('DELETE', '/store/orders/${id}'))  # ${status}: a ${state} order\n`)}`,
    },
  ];
  return snippets.map(({ name, code }) => ({ name, code: code.trimEnd() }));
}
