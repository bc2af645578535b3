import { readFileSync, writeFileSync } from 'node:fs';

export interface Row {
  readonly name: string;
  readonly settings: string;
  readonly outcome: string;
  readonly ids: string;
}

const file = new URL('../../docs/GENERATORS.md', import.meta.url);

const head = `# Generated clients

What generators make of [\`contract/v2.yaml\`](../contract/v2.yaml). \`npm run generators\` writes this page: it generates a
client by each, compiles it, and lets a small program of [\`contract/generators/programs\`](../contract/generators/programs)
call a store with it: list, pages to the end, place and replay, get, cancel, the 409, a 304, the id 9007199254740993
(2^53 + 1), the page of events with a \`store.reset\` in it, and a webhook's body. Those that npm brings are run by every
\`npm run verify:all\`; the others need their compilers, and \`java\` and \`mvn\` for openapi-generator (\`OPENAPI_GENERATOR\`
names its jar, if Maven is not to bring it). \`npm run generators python go\` tries those alone.

| generator | settings | what works | ids |
|---|---|---|---|
`;

const foot = `
What generators read from extensions of their own stands in [\`contract/overlays\`](../contract/overlays), for Speakeasy, Fern
and Stainless: pages, retries, idempotency, signatures of webhooks. What people do step by step is an Arazzo description,
[\`contract/workflows.yaml\`](../contract/workflows.yaml). Both are tested against the service.

openapi-generator is told \`disallowAdditionalPropertiesIfNotPresent=false\`, which is what JSON Schema means: an answer may
have fields that the document does not list. Without it its Go client refuses an answer as soon as a field is added.

| what to know | |
|---|---|
| rounded ids | what reads JSON into \`number\` rounds ids above 2^53: all clients in TypeScript here. Given as text of digits, an id leaves them exact; read the answer as text, or use [\`@petstore/client\`](CLIENT.md), which is exact both ways |
| hey-api's \`bigInt\` | its transformer makes a bigint of the \`number\` that was read: 9007199254740993 is then 9007199254740992n, wrong and without a warning. Leave it off |
| errors as text | Java, Kotlin, Ruby and Rust of openapi-generator hand out the body of an error as text, to be read with their own model |
| Kotlin | the key is a setting of all its clients at once (\`ApiClient.accessToken\`) |
| PHP | reads every event into the one class \`Event\`, its \`data\` as a plain object; a webhook's body is read as the class of its type |
| Rust | a 304 (\`unchanged\` in its program) is an error that does not say its status; an event of a type that it does not know is an error |
| Prism 5.16 as a mock | answers with the examples of the document: nothing is remembered (an order is cancelled twice with 204), any key will do, unknown parameters pass, the id 9007199254740993 is 400, the stream of events is 500. Refusals come by \`Prefer: code=409\`. For something that behaves, start the service |
`;

/** Writes the rows of this run into the table; those of generators that were not asked for stay. */
export function writePage(rows: readonly Row[], order: readonly string[]): void {
  const lines = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const name = /^\| ([^|]+) \|/.exec(line)?.[1];
    if (name !== undefined) lines.set(name, line);
  }
  for (const { name, settings, outcome, ids } of rows)
    lines.set(name, `| ${name} | ${settings} | ${outcome} | ${ids} |`);
  const table = order.flatMap((name) => lines.get(name) ?? []).join('\n');
  writeFileSync(file, `${head}${table}\n${foot}`);
}
