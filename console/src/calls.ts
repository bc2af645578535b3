export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** A reading call in three languages, ready to run: nothing to install. Without a key, it is taken from PETSTORE_KEY. */
export function callsOf(address: string, key?: string): Snippet[] {
  const inShell = key ? `'Authorization: Bearer ${key}'` : '"Authorization: Bearer $PETSTORE_KEY"';
  const inScript = key ? `'Bearer ${key}'` : `\`Bearer \${process.env.PETSTORE_KEY}\``;
  const inPython = key ? `'Bearer ${key}'` : `'Bearer ' + os.environ['PETSTORE_KEY']`;
  return [
    { name: 'curl', code: `curl '${address}' \\\n  -H ${inShell}` },
    {
      name: 'JavaScript',
      code: `const response = await fetch('${address}', {
  headers: { Authorization: ${inScript} },
});
// Ids can be larger than a number holds exactly.
const exact = (name, value, { source }) => (/^(id|petId)$/.test(name) ? BigInt(source) : value);
console.log(JSON.parse(await response.text(), exact));`,
    },
    {
      name: 'Python',
      code: `import json, ${key ? '' : 'os, '}urllib.request

request = urllib.request.Request(
    '${address}',
    headers={'Authorization': ${inPython}},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
    },
  ];
}
