export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

function curl({ method, url, body }: Call): string {
  const lines = [
    ...(method === 'GET' ? [`curl '${url}'`] : [`curl -X ${method}`, `  '${url}'`]),
    `  -H "Authorization: Bearer $API_KEY"`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d '${body}'`]),
  ];
  return lines.join(' \\\n');
}

function javascript({ method, url, body }: Call): string {
  return `const answer = await fetch('${url}', {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.API_KEY}\`,${body === undefined ? '' : `\n    'Content-Type': 'application/json',`}
  },${body === undefined ? '' : `\n  body: \`${indent(body, '  ')}\`,`}
});
// Ids are 64-bit integers. As numbers, large ones would be rounded: whole numbers become bigints.
const text = await answer.text();
const data = text && JSON.parse(text, (_, value, { source }) =>
  Number.isInteger(value) ? BigInt(source) : value);
console.log(answer.status, data);`;
}

function python({ method, url, body }: Call): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
        "Authorization": f"Bearer {os.environ['API_KEY']}",${body === undefined ? '' : `\n        "Content-Type": "application/json",`}
    },${body === undefined ? '' : `\n    data=b"""${indent(body, '    ')}""",`}
)
with urllib.request.urlopen(request) as answer:
    text = answer.read()
    # Python's integers are exact at any size.
    print(answer.status, json.loads(text) if text else None)`;
}

function go({ method, url, body }: Call): string {
  return `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
	request, _ := http.NewRequest("${method}", "${url}", ${body === undefined ? 'nil' : `strings.NewReader(\`${body}\`)`})
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))${body === undefined ? '' : '\n\trequest.Header.Set("Content-Type", "application/json")'}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	// Without UseNumber every number becomes a float64, which rounds large ids.
	decoder := json.NewDecoder(answer.Body)
	decoder.UseNumber()
	var data any
	_ = decoder.Decode(&data)
	fmt.Println(answer.Status, data)
}`;
}

function java({ method, url, body }: Call): string {
  const publisher =
    body === undefined
      ? 'HttpRequest.BodyPublishers.noBody()'
      : `HttpRequest.BodyPublishers.ofString("""\n                ${indent(body, '                ')}""")`;
  return `import java.net.URI;
import java.net.http.*;

public class Example {
    public static void main(String[] args) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("${url}"))
            .header("Authorization", "Bearer " + System.getenv("API_KEY"))${body === undefined ? '' : '\n            .header("Content-Type", "application/json")'}
            .method("${method}", ${publisher})
            .build();
        HttpResponse<String> answer =
            HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        // A long holds every id exactly; a double does not.
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}`;
}

const languages = [
  ['shell', 'curl', curl],
  ['javascript', 'JavaScript', javascript],
  ['python', 'Python', python],
  ['go', 'Go', go],
  ['java', 'Java', java],
] as const;

/** The call in five languages, each of which keeps 64-bit integers exact. */
export function samplesOf(call: Call): Sample[] {
  return languages.map(([lang, label, write]) => ({ lang, label, source: write(call) }));
}
