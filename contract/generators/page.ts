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
it, runs [a program](../contract/generators/programs) with it against a store, and writes this page. The program pages through
orders, places, retries and cancels one, expects a 409 and a 304, and reads the id 9007199254740993 (2^53 + 1), events and a
webhook body. openapi-generator needs \`java\` and either \`mvn\` or its jar in \`OPENAPI_GENERATOR\`; others need their compilers.

| generator | settings | works | ids |
|---|---|---|---|
`;

const foot = `
For openapi-generator, set \`disallowAdditionalPropertiesIfNotPresent=false\`. Otherwise its Go client rejects responses as soon as a
field is added.

| topic | |
|---|---|
| rounded ids | TypeScript clients that parse JSON into \`number\` round ids above 2^53. Send ids as strings of digits. To read them, parse the response text yourself, or use [\`@petstore/client\`](CLIENT.md) |
| hey-api's \`bigInt\` | leave it off: it converts the rounded \`number\` |
| error bodies | openapi-generator's Java, Kotlin, Ruby and Rust clients return them as text; parse them with the generated model |
| Kotlin | the API key is global to all clients (\`ApiClient.accessToken\`) |
| PHP | all events have the class \`Event\`, with \`data\` as a plain object; webhook bodies have the class of their type |
| Rust | a 304 (\`unchanged\` in its program) is an error without a status; unknown event types are errors |

[\`contract/overlays\`](../contract/overlays) adds the extensions of Speakeasy, Fern and Stainless for pagination, retries,
idempotency and webhook signatures. [\`contract/workflows.yaml\`](../contract/workflows.yaml) describes multi-step workflows
in Arazzo. Both are tested against the service.
`;

/** Writes the rows of this run into the table; rows of other generators stay. */
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
