import type { Call } from './call.ts';

interface Sample {
  readonly name: string;
  readonly code: string;
}

const indent = (text: string, margin: string) => text.replaceAll('\n', `\n${margin}`);
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const escapeTemplate = (text: string) => text.replace(/[\\`]|\$\{/g, '\\$&');

function curl({ method, url, headers, body }: Call): string {
  const lines = [
    ...(method === 'GET'
      ? [`curl ${shellQuote(url)}`]
      : [method === 'HEAD' ? 'curl --head' : `curl -X ${method}`, `  ${shellQuote(url)}`]),
    `  -H "Authorization: Bearer $PETSTORE_KEY"`,
    ...headers.map(([name, value]) => `  -H ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${shellQuote(body)}`]),
  ];
  return lines.join(' \\\n');
}

function javascript({ method, url, headers, body }: Call): string {
  const lines = headers.map(([name, value]) => `\n    '${name}': ${JSON.stringify(value)},`);
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.PETSTORE_KEY}\`,${lines.join('')}
  },${body === undefined ? '' : `\n  body: \`${indent(escapeTemplate(body), '  ')}\`,`}
});
// IDs are 64-bit integers, and a number would round large ones. BigInt keeps them exact (Node 22 or later).
const exact = (_, value, context) =>
  context && Number.isInteger(value) ? BigInt(context.source) : value;
const text = await response.text();
console.log(response.status, text && JSON.parse(text, exact));`;
}

function python({ method, url, headers, body }: Call): string {
  const lines = headers.map(([name, value]) => `\n        "${name}": ${JSON.stringify(value)},`);
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['PETSTORE_KEY']}",${lines.join('')}
    },${body === undefined ? '' : `\n    data="""${indent(body.replaceAll('\\', '\\\\'), '    ')}""".encode(),`}
)
with urllib.request.urlopen(request) as response:
    text = response.read()
    # Python's integers are exact at any size.
    print(response.status, json.loads(text) if text else None)`;
}

function go({ method, url, headers, body }: Call): string {
  const lines = headers.map(([name, value]) => `\n\trequest.Header.Set("${name}", ${JSON.stringify(value)})`);
  return `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
	request, _ := http.NewRequest("${method}", ${JSON.stringify(url)}, ${body === undefined ? 'nil' : `strings.NewReader(\`${body}\`)`})
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_KEY"))${lines.join('')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	// Without UseNumber every number becomes a float64, which rounds large IDs.
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	var data any
	_ = decoder.Decode(&data)
	fmt.Println(response.Status, data)
}`;
}

function java({ method, url, headers, body }: Call): string {
  const lines = headers.map(([name, value]) => `\n            .header("${name}", ${JSON.stringify(value)})`);
  const publisher =
    body === undefined
      ? 'HttpRequest.BodyPublishers.noBody()'
      : `HttpRequest.BodyPublishers.ofString("""\n                ${indent(body.replaceAll('\\', '\\\\'), '                ')}""")`;
  return `import java.net.URI;
import java.net.http.*;

public class Example {
    public static void main(String[] args) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))
            .header("Authorization", "Bearer " + System.getenv("PETSTORE_KEY"))${lines.join('')}
            .method("${method}", ${publisher})
            .build();
        HttpResponse<String> response =
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        // A long holds every ID exactly; a double does not.
        System.out.println(response.statusCode() + " " + response.body());
    }
}`;
}

const languages = { curl, JavaScript: javascript, Python: python, Go: go, Java: java };

/** The request in five languages, each keeping 64-bit integers exact. */
export function samplesOf(call: Call): Sample[] {
  return Object.entries(languages).map(([name, write]) => ({ name, code: write(call) }));
}
