import { readFileSync } from 'node:fs';
import { javascript } from '../../src/client/templates/javascript.ts';
import { python } from '../../src/client/templates/python.ts';

/** A text replacement in the source of a careful client. */
type Change = readonly [from: string, to: string];

export const careful = {
  js: { text: javascript, command: (file: string) => [process.execPath, file], extension: 'mjs' },
  py: { text: python, command: (file: string) => ['python3', file], extension: 'py' },
  sh: {
    text: readFileSync(new URL('../clients/careful.sh', import.meta.url), 'utf8'),
    command: (file: string) => ['sh', file],
    extension: 'sh',
  },
};
export type Language = keyof typeof careful;

/** A careful client with some code replaced. */
export interface ChangedClient {
  /** What it does differently. */
  readonly does: string;
  readonly language: Language;
  readonly changes: readonly Change[];
  /** Ids of the questions that it must fail; none if the change is allowed. */
  readonly fails: readonly string[];
}

const pyFinal = 'not in (429, 503)';
const jsKey = "headers: { 'idempotency-key': randomUUID() },";
const jsDate = 'if (!/^\\d+$/.test(sent) || Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;';
const jsCompare = '.some((one) => one.length === expected.length && timingSafeEqual(one, expected))';
const pyDate = 'abs(time.time() - int(sent)) > 300';

/** Careful clients with one mistake each. */
export const flawedClients: readonly ChangedClient[] = [
  client('js', 'sends the key without `Bearer`', ["'Bearer ' + key", 'key'], 'lists-orders'),
  client(
    'py',
    'reads the first order of an empty list',
    ['    for row in rows:', '    rows[0]\n    for row in rows:'],
    'empty-list',
  ),
  client(
    'js',
    'parses ids as doubles',
    ['undefined : parse(text) }', 'undefined : JSON.parse(text) }'],
    'int64-read',
  ),
  client(
    'py',
    'reads the first 1,000 orders',
    ['show(call(V1 + "/store/orders")[2])', 'show(call(V1 + "/store/orders")[2][:1000])'],
    'large-list',
  ),
  client(
    'js',
    'prints the right number of lines',
    [
      "show((await call(v1 + '/store/orders')).body),",
      "show((await call(v1 + '/store/orders')).body.map(() => ({ id: 1 }))),",
    ],
    'large-list',
    'lists-orders',
  ),
  client('js', 'reads the first page', ['while (cursor)', 'while (false)'], 'pages', 'pages-interrupted'),
  client(
    'py',
    'ends at a page that is not full',
    ['cursor = page["nextCursor"]', 'cursor = page["nextCursor"] if len(page["data"]) == 1000 else None'],
    'pages',
  ),
  client(
    'js',
    'parses the ids in pages as doubles',
    [
      "text === '' ? undefined : parse(text) }",
      "text === '' ? undefined : url.startsWith(v2) ? JSON.parse(text) : parse(text) }",
    ],
    'int64-pages',
  ),
  client(
    'py',
    'parses the ids of pets as doubles',
    [
      'json.loads(text) if text',
      'json.loads(text, parse_int=float if url.endswith("/pets") else int) if text',
    ],
    'int64-pets',
  ),
  client(
    'py',
    'prints the pages it got, and succeeds',
    [
      '            if not is_repeatable or left == 0:',
      '            if "cursor" in url:\n                return 200, {}, {"data": [], "nextCursor": None}\n            if not is_repeatable or left == 0:',
    ],
    'pages-interrupted',
  ),
  client(
    'py',
    'searches the text for the name',
    [
      'lambda: print(call(V2 + "/pets/1")[2]["name"])',
      'lambda: print(open_url(V2 + "/pets/1").read().decode().split(\'"name":"\')[1].split(\'"\')[0])',
    ],
    'unusual-json',
  ),
  client(
    'js',
    'decodes responses as Latin-1',
    ['text = await response.text();', "text = Buffer.from(await response.arrayBuffer()).toString('latin1');"],
    'unusual-json',
  ),
  client(
    'py',
    'treats an invalid cursor as the end',
    [
      '    while cursor is not None:\n        page = ',
      '    while cursor is not None:\n        try: call(V2 + "/store/orders?limit=1000" + (cursor and "&cursor=" + cursor))\n        except SystemExit: return\n        page = ',
    ],
    'cursor-expires',
  ),
  client('py', 'sends no `If-None-Match`', [', headers={"If-None-Match": headers["ETag"]}', ''], 'etag'),
  client(
    'js',
    'downloads the list again after a 304',
    [
      'again.status === 304 ? body : again.body',
      "again.status === 304 ? (await call(v1 + '/store/orders')).body : again.body",
    ],
    'etag',
  ),
  client(
    'js',
    'prints its cached list, whatever the second response is',
    ['again.status === 304 ? body : again.body', 'body'],
    'etag-changed',
  ),
  client(
    'js',
    'rejects fields that it does not know',
    [
      "console.log((await call(v2 + '/pets/1')).body.name)",
      "{ const pet = (await call(v2 + '/pets/1')).body; if ('stock' in pet) throw new Error('stock'); console.log(pet.name); }",
    ],
    'unknown-field',
  ),
  client(
    'js',
    'accepts the documented fields only',
    [
      "console.log((await call(v2 + '/pets/1')).body.name)",
      "{ const { id, name, category, status, stock, ...more } = (await call(v2 + '/pets/1')).body; if (Object.keys(more).length > 0) throw new Error('unknown'); console.log(name); }",
    ],
    'unknown-field',
  ),
  client(
    'py',
    'prints the name of the pet in the demo data',
    ['lambda: print(call(V2 + "/pets/1")[2]["name"])', 'lambda: print(call(V2 + "/pets/1") and "Rex")'],
    'unknown-field',
  ),
  client(
    'sh',
    'prints the name of the pet in the demo data',
    ['call GET "$PETSTORE_URL/pets/1"; name ;;', 'call GET "$PETSTORE_URL/pets/1"; echo Rex ;;'],
    'deprecation',
  ),
  client(
    'js',
    'converts the id to a number',
    [
      "call(v1 + '/store/orders/' + env.PETSTORE_ORDER_ID,",
      "call(v1 + '/store/orders/' + Number(env.PETSTORE_ORDER_ID),",
    ],
    'int64-write',
  ),
  client(
    'js',
    'parses the body of a 204',
    ["text === '' ? undefined : parse(text) }", 'parse(text) }'],
    'no-content',
  ),
  client(
    'js',
    'cancels another order, too',
    [
      "'cancel-order': () => call(",
      "'cancel-order': () => open(v1 + '/store/orders/4', { method: 'DELETE' }) && call(",
    ],
    'no-content',
  ),
  client(
    'py',
    'cancels with version 2, and retries what is final',
    [
      'call(V1 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"], "DELETE")',
      'any(os.system(f\'curl -sf -X DELETE {V2}/store/orders/{os.environ["PETSTORE_ORDER_ID"]} -H "Authorization: Bearer {KEY}"\') == 0 for _ in range(3)) or sys.exit(1)',
    ],
    'conflict-is-final',
    'missing-is-final',
    'lost-cancel',
  ),
  client('py', 'retries 409', [pyFinal, 'not in (409, 429, 503)'], 'conflict-is-final'),
  client(
    'py',
    'treats a cancel that got 401 as success',
    [
      '            # Everything else is final: a retry would be rejected again.',
      '            if error.code == 401 and method == "DELETE":\n                return 401, error.headers, None',
    ],
    'refused-cancel',
  ),
  client(
    'py',
    'retries an order that was rejected',
    [pyFinal, 'not in (409, 429, 503) or method == "DELETE"'],
    'rejected-order-is-final',
  ),
  client(
    'js',
    'treats every 404 of a cancel as success',
    ["'DELETE' && mayHaveSucceeded", "'DELETE'"],
    'missing-is-final',
  ),
  client(
    'js',
    'reports the 404 after a lost response',
    ["'DELETE' && mayHaveSucceeded", "'DELETE' && false"],
    'lost-cancel',
  ),
  client(
    'js',
    'treats a cancel without a response as success',
    [
      '      if (isRepeatable && left > 0) continue;',
      "      if (init.method === 'DELETE') return {};\n      if (isRepeatable && left > 0) continue;",
    ],
    'dropped-cancel',
  ),
  client(
    'js',
    'treats a 409 after a lost response as success',
    ["status === 404 && init.method === 'DELETE'", "[404, 409].includes(status) && init.method === 'DELETE'"],
    'lost-cancel',
  ),
  client('py', 'does not retry a cancel', ['method != "POST" or', 'method == "GET" or'], 'lost-cancel'),
  client('py', 'retries 401', [pyFinal, 'not in (401, 429, 503)'], 'refused-key-is-final'),
  client(
    'js',
    'prints the request that failed, with its key',
    [
      "throw new Error(status + ' ' + text);",
      "throw new Error(status + ' ' + text, { cause: { url, key } });",
    ],
    'refused-key-is-final',
    'refused-cancel',
  ),
  client(
    'js',
    'places each order twice',
    ["'place-order': placeOrder,", "'place-order': () => placeOrder().then(placeOrder),"],
    'places-once',
  ),
  client('js', 'orders another quantity', ['"quantity":1}', '"quantity":2}'], 'places-once', 'two-orders'),
  client(
    'js',
    'sends a constant `Idempotency-Key`',
    [jsKey, "headers: { 'idempotency-key': 'constant' },"],
    'places-again',
    'two-orders',
  ),
  client(
    'sh',
    'sends a constant `Idempotency-Key`',
    ['$(cat /proc/sys/kernel/random/uuid)', 'constant'],
    'places-again',
    'two-orders',
  ),
  client(
    'py',
    'derives its `Idempotency-Key` from the process id',
    ['str(uuid.uuid4())', 'f"order-{os.getpid()}"'],
    'places-again',
  ),
  client(
    'js',
    'derives its `Idempotency-Key` from the time',
    [jsKey, "headers: { 'idempotency-key': String(Date.now()) },"],
    'places-again',
  ),
  {
    ...client(
      'js',
      'creates one `Idempotency-Key` for each run',
      [jsKey, "headers: { 'idempotency-key': run },"],
      'two-orders',
    ),
    changes: [
      [jsKey, "headers: { 'idempotency-key': run },"],
      ['const TRIES = 3;', 'const TRIES = 3;\nconst run = randomUUID();'],
    ],
  },
  client(
    'sh',
    'retries an order without an `Idempotency-Key`',
    [' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"', ''],
    'lost-answer',
    'dropped-change',
  ),
  client(
    'py',
    'does not retry',
    ['if not is_repeatable or left == 0:', 'if True:'],
    'dropped-read',
    'reset-connection',
    'lost-answer',
  ),
  client(
    'js',
    'does not retry a reset connection',
    [
      'if (isRepeatable && left > 0) continue;',
      "if (isRepeatable && left > 0 && error.cause?.code !== 'ECONNRESET') continue;",
    ],
    'reset-connection',
  ),
  client(
    'py',
    'uses a connection that the service has closed',
    [
      '    for _ in range(2):\n        show(call(V1 + "/pets")[2])',
      '    place = urllib.parse.urlsplit(V1)\n    pool = http.client.HTTPConnection(place.hostname, place.port)\n    for _ in range(2):\n        pool.request("GET", place.path + "/pets", headers={"Authorization": "Bearer " + KEY})\n        pool.auto_open = 0\n        show(json.loads(pool.getresponse().read()))',
    ],
    'stale-connection',
  ),
  client(
    'js',
    'always waits 2.5 s',
    ["milliseconds(headers.get('retry-after') ?? '1')", '2500'],
    'retry-after',
  ),
  client(
    'py',
    'reads `Retry-After` only in that letter case',
    ['error.headers.get("Retry-After", "1")', 'dict(error.headers.items()).get("Retry-After", "1")'],
    'retry-after',
  ),
  client(
    'py',
    'treats a date as local time',
    [
      'email.utils.parsedate_to_datetime(retry_after).timestamp()',
      'time.mktime(email.utils.parsedate(retry_after))',
    ],
    'retry-after-date',
  ),
  client(
    'py',
    'fails on a date that has passed',
    [
      'return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())',
      'return email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time()',
    ],
    'retry-after-date',
  ),
  client(
    'py',
    'waits before reads only',
    [
      'time.sleep(seconds(error.headers.get("Retry-After", "1")))',
      'time.sleep(method == "GET" and seconds(error.headers.get("Retry-After", "1")))',
    ],
    'busy-order',
  ),
  client(
    'js',
    'succeeds if the service stays unavailable',
    [
      '    // Everything else is final: a retry would be rejected again.',
      "    if (status === 503 && init.method === 'POST') return { status, headers };",
    ],
    'busy-order',
  ),
  client(
    'py',
    'has a timeout for reads only',
    ['timeout=TIMEOUT', 'timeout=TIMEOUT if method == "GET" else None'],
    'order-never-responds',
  ),
  client('sh', 'always waits 6 s', ['sleep "$after"', 'sleep 6'], 'retry-after', 'retry-after-date'),
  client('py', 'treats 429 as final', ['not in (429, 503)', 'not in (503,)'], 'rate-limit'),
  client(
    'js',
    'waits only before its first retry',
    ['await sleep(milliseconds(', 'if (left === TRIES - 1) await sleep(milliseconds('],
    'rate-limit',
  ),
  client(
    'js',
    'treats a date as ten seconds',
    ['Math.max(0, Date.parse(text) - Date.now())', '10_000'],
    'retry-after-date',
  ),
  client(
    'py',
    'treats a date as one second',
    ['return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())', 'return 1'],
    'retry-after-date',
  ),
  client(
    'js',
    'tries 200 times without a pause',
    ['const TRIES = 3;', 'const TRIES = 200;'],
    'gives-up',
    'garbage',
  ),
  client(
    'js',
    'tries 200 times if there is no response',
    [
      '      if (isRepeatable && left > 0) continue;',
      '      if (/UND_ERR_SOCKET|ECONNRESET/.test(error.cause?.code) && left > -200) continue;\n      if (isRepeatable && left > 0) continue;',
    ],
    'gives-up',
  ),
  client(
    'js',
    'has a timeout for the head of a response only',
    [
      'response = await open(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });',
      'const abort = new AbortController();\n      const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);\n      response = await open(url, { ...init, signal: abort.signal });\n      clearTimeout(timer);',
    ],
    'never-responds',
  ),
  client('py', 'has no timeout', ['timeout=TIMEOUT', 'timeout=None'], 'never-responds'),
  client('js', 'has no timeout', [', signal: AbortSignal.timeout(TIMEOUT_MS)', ''], 'never-responds'),
  client(
    'sh',
    'pipes curl into a filter, whatever its exit status',
    [
      'call GET "$PETSTORE_URL/store/orders"; ids ;;',
      'curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" | grep -o \'{"id":[0-9]*\' | cut -d: -f2 || true ;;',
    ],
    'truncated-body',
    'garbage',
  ),
  client(
    'js',
    'allows one second for a whole response',
    ['TIMEOUT_MS = 15_000', 'TIMEOUT_MS = 1_000'],
    'slow-answer',
  ),
  client(
    'js',
    'prints a warning of its package manager',
    [
      "console.error(url + ' is deprecated; sunset: ' + headers.get('sunset'));",
      "console.error('npm warn deprecated inflight@1.0.6: this module is not supported');",
    ],
    'deprecation',
  ),
  client(
    'js',
    'always prints the same warning',
    [
      "if (headers.has('deprecation'))\n      console.error(url + ' is deprecated; sunset: ' + headers.get('sunset'));",
      "console.error('GET /v1/pets/1 is deprecated');",
    ],
    'deprecation',
  ),
  client('py', 'retries 410', [pyFinal, 'not in (410, 429, 503)'], 'gone'),
  client(
    'py',
    'reconnects without its last id',
    ['{"Last-Event-ID": last}', '{"Last-Event-ID": os.environ["PETSTORE_AFTER"]}'],
    'stream-resumes',
  ),
  client(
    'js',
    'resumes after an event that was cut off',
    [
      "for (const line of lines.filter((one) => one.startsWith('data: '))) {",
      "for (const line of lines) {\n          if (line.startsWith('id: ')) last = line.slice(4);\n          if (!line.startsWith('data: ')) continue;",
    ],
    'stream-resumes',
  ),
  client(
    'js',
    'prints an event whose id was cut off',
    [
      "for (const line of lines.filter((one) => one.startsWith('data: '))) {\n          last = parse(line.slice(6)).id;",
      'for (const line of [...lines, text].filter((one) => /^id: \\d/.test(one) && one.slice(4) !== last)) {\n          last = line.slice(4);',
    ],
    'stream-resumes',
  ),
  client(
    'js',
    'reconnects to a busy stream at once',
    ['if (!response.ok) process.exit(1);', 'if (!response.ok) continue;'],
    'stream-busy',
  ),
  client('js', 'reconnects to a stream without a delay', ['await sleep(500);', ''], 'stream-busy'),
  client(
    'py',
    'has a tolerance of five seconds',
    [pyDate, 'abs(time.time() - int(sent)) > 5'],
    'webhook-accepted',
  ),
  client(
    'js',
    'does not decode the secret',
    ["replace('whsec_', ''), 'base64')", "replace('whsec_', ''))"],
    'webhook-accepted',
  ),
  client(
    'py',
    'has the secret of another receiver',
    [
      'os.environ["PETSTORE_WEBHOOK_SECRET"].removeprefix("whsec_")',
      '"c2hhcmVkIGJ5IHN0b3JlIGFuZCByZWNlaXZlcg=="',
    ],
    'webhook-accepted',
  ),
  client(
    'js',
    'verifies re-serialized JSON',
    ["'.' + sent + '.' + body;", "'.' + sent + '.' + JSON.stringify(JSON.parse(body));"],
    'webhook-raw-body',
  ),
  client(
    'js',
    'reads the body as Latin-1',
    ["setEncoding('utf8')", "setEncoding('latin1')"],
    'webhook-raw-body',
  ),
  client(
    'js',
    'compares six characters of the signature',
    [jsCompare, '.some((one) => one.subarray(0, 9).equals(expected.subarray(0, 9)))'],
    'webhook-forged',
  ),
  client(
    'py',
    'verifies no signature',
    [
      'return any(hmac.compare_digest(expected, one) for one in headers.get("webhook-signature", "").split(" "))',
      'return True',
    ],
    'webhook-forged',
    'webhook-unsigned',
    'webhook-tampered',
    'webhook-rolled',
  ),
  client(
    'js',
    'compares signatures case-insensitively',
    [jsCompare, '.some((one) => one.toString().toLowerCase() === expected.toString().toLowerCase())'],
    'webhook-forged',
  ),
  client(
    'py',
    'stores the id of deliveries it rejects',
    [
      '            if good and',
      '            is_new = self.headers["webhook-id"] not in self.server.__dict__.setdefault("seen", set())\n            self.server.seen.add(self.headers["webhook-id"])\n            if is_new and good and',
    ],
    'webhook-forged',
  ),
  client(
    'js',
    'parses the body before it verifies it',
    [
      'const isGood = isSigned(request.headers, body);',
      'JSON.parse(body);\n    const isGood = isSigned(request.headers, body);',
    ],
    'webhook-forged',
  ),
  client(
    'js',
    'accepts unsigned deliveries',
    [
      'const isGood = isSigned(request.headers, body);',
      "const isGood = !('webhook-signature' in request.headers) || isSigned(request.headers, body);",
    ],
    'webhook-unsigned',
  ),
  client(
    'js',
    'responds with 500 to deliveries it rejects',
    ['isGood ? 204 : 400', 'isGood ? 204 : 500'],
    'webhook-unsigned',
    'webhook-tampered',
  ),
  client('py', 'looks at the last signature only', ['.split(" "))', '.split(" ")[-1:])'], 'webhook-rolled'),
  client(
    'js',
    'looks at the first signature only',
    [".split(' ')\n    .map", ".split(' ').slice(0, 1)\n    .map"],
    'webhook-rolled',
  ),
  client('py', 'accepts an old timestamp', [pyDate, 'int(sent) - time.time() > 300'], 'webhook-stale'),
  client(
    'js',
    'has a tolerance of just under ten minutes',
    ['> 300) return false;', '> 590) return false;'],
    'webhook-stale',
    'webhook-future',
  ),
  client(
    'js',
    'has a tolerance that is ten seconds too long',
    ['> 300) return false;', '> 310) return false;'],
    'webhook-stale',
    'webhook-future',
  ),
  client('py', 'accepts a future timestamp', [pyDate, 'time.time() - int(sent) > 300'], 'webhook-future'),
  client(
    'js',
    'checks a timestamp only if there is one',
    [jsDate, 'if (sent && Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;'],
    'webhook-undated',
  ),
  client(
    'js',
    'processes a repeated delivery again',
    ['if (isGood && !seen.has(id)) {', 'if (isGood) {'],
    'webhook-twice',
  ),
  client(
    'py',
    'remembers only the last delivery',
    [
      'if good and self.headers["webhook-id"] not in seen:',
      'if good and self.headers["webhook-id"] != os.environ.get("LAST"):\n                os.environ["LAST"] = self.headers["webhook-id"]',
    ],
    'webhook-twice',
  ),
];

/** Correct clients with an unusual style: they must pass every question. */
export const unusualClients: readonly ChangedClient[] = [
  client('js', 'retries four times within a second', ['const TRIES = 3;', 'const TRIES = 5;']),
  client('js', 'sends `GET /pets` before it does anything', [
    'await tasks[',
    "await open(v1 + '/pets');\nawait tasks[",
  ]),
  {
    does: 'probes `/healthz` three times, and waits longer than it must',
    language: 'js',
    changes: [
      [
        'await tasks[',
        "for (let time = 1; time <= 3; time++) await fetch(v1.replace('/v1', '/healthz'));\nawait tasks[",
      ],
      ["headers.get('retry-after') ?? '1')", "headers.get('retry-after') ?? '1') * (1 + Math.random() / 4)"],
    ],
    fails: [],
  },
  client('js', 'has a runtime that warns of its own deprecations', [
    'await tasks[',
    "console.error('(node:2030) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.');\nawait tasks[",
  ]),
  client('py', 'sends `HEAD` before `GET`', [
    '    headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json", **dict(headers)}\n',
    '    headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json", **dict(headers)}\n' +
      '    if method == "GET" and not url.endswith("stream"):\n        open_url(url, "HEAD")\n',
  ]),
  client('py', 'reads the order before it cancels it', [
    'lambda: call(V1 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"], "DELETE")',
    'lambda: call(V2 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"])[2]["status"] == "pending" and call(V1 + "/store/orders/" + os.environ["PETSTORE_ORDER_ID"], "DELETE") or sys.exit(1)',
  ]),
  client('py', 'probes `/healthz` first', [
    '\ntask()\n',
    '\nurllib.request.urlopen(V1.removesuffix("/v1") + "/healthz", timeout=TIMEOUT).read()\ntask()\n',
  ]),
];

function client(language: Language, does: string, change: Change, ...fails: string[]): ChangedClient {
  return { does, language, changes: [change], fails };
}

/** The source code of the client, with its changes. */
export function sourceOf({ language, changes }: ChangedClient): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the ${language} client does not contain: ${from}`);
    return text.replace(from, () => to);
  }, careful[language].text);
}
