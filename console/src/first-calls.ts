export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** The same first call in three languages, ready to run: nothing to install, nothing to fill in. */
export function firstCalls(apiBase: string, key: string): Snippet[] {
  const address = `${apiBase}/store/orders`;
  return [
    { name: 'curl', code: `curl ${address} \\\n  -H 'Authorization: Bearer ${key}'` },
    {
      name: 'JavaScript',
      code: `const response = await fetch('${address}', {
  headers: { Authorization: 'Bearer ${key}' },
});
console.log(await response.json());`,
    },
    {
      name: 'Python',
      code: `import json, urllib.request

request = urllib.request.Request(
    '${address}',
    headers={'Authorization': 'Bearer ${key}'},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
    },
  ];
}
