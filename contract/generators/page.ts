import { readFileSync, writeFileSync } from 'node:fs';

export interface Row {
  readonly name: string;
  readonly settings: string;
  readonly outcome: string;
  readonly ids: string;
}

const file = new URL('../../docs/GENERATORS.md', import.meta.url);

const head = `# Generated clients

    npm run generators
    npm run generators python go

This generates a client from [\`contract/v2.yaml\`](../contract/v2.yaml) with each generator, or with the ones you name, compiles
it, runs a small program from [\`contract/generators/programs\`](../contract/generators/programs) against a store, and writes
this page. The program lists orders, pages to the end, places an order and retries it, gets and cancels it, expects a 409 and
a 304, reads the id 9007199254740993 (2^53 + 1), a page of events with a \`store.reset\`, and a webhook body.
\`npm run verify:all\` runs the generators from npm. The others need their compilers; openapi-generator also needs \`java\`
and either \`mvn\` or its jar in \`OPENAPI_GENERATOR\`.

| generator | settings | works | ids |
|---|---|---|---|
`;

const foot = `
For openapi-generator, set \`disallowAdditionalPropertiesIfNotPresent=false\`, which is what JSON Schema specifies: responses
can have fields that the document doesn't list. Otherwise its Go client rejects responses as soon as a field is added.

| topic | |
|---|---|
| rounded ids | TypeScript clients that parse JSON into \`number\` round ids above 2^53. Ids you send as strings of digits stay exact. To read them, parse the response text yourself, or use [\`@petstore/client\`](CLIENT.md) |
| hey-api's \`bigInt\` | leave it off: it converts the rounded \`number\`, so 9007199254740993 silently becomes 9007199254740992n |
| error bodies | openapi-generator's Java, Kotlin, Ruby and Rust clients return them as text; parse them with the generated model |
| Kotlin | the API key is global to all clients (\`ApiClient.accessToken\`) |
| PHP | all events have the class \`Event\`, with \`data\` as a plain object; webhook bodies have the class of their type |
| Rust | a 304 (\`unchanged\` in its program) is an error without a status; unknown event types are errors |
| Prism 5.16 as a mock | it responds with the document's examples and has no state: an order can be cancelled twice, any key works, unknown parameters pass, the id 9007199254740993 gets 400, the event stream 500. \`Prefer: code=409\` selects an error. For real behavior, start the service |

[\`contract/overlays\`](../contract/overlays) adds the extensions of Speakeasy, Fern and Stainless for pagination, retries,
idempotency and webhook signatures. [\`contract/workflows.yaml\`](../contract/workflows.yaml) describes multi-step workflows
in Arazzo. Both are tested against the service.
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
