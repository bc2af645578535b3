import { readFileSync } from 'node:fs';
import { javascript } from '../../src/client/templates/javascript.ts';
import { python } from '../../src/client/templates/python.ts';

/** A change to a careful client. */
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

export interface Trap {
  /** What it does wrong. */
  readonly does: string;
  readonly language: Language;
  readonly changes: readonly Change[];
  /** The questions that it must fail. */
  readonly fails: readonly string[];
}

const pyFinal = 'not in (429, 503)';
const jsKey = "headers: { 'idempotency-key': randomUUID() },";
const jsDate = 'if (!/^\\d+$/.test(sent) || Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;';
const jsCompare = '.some((one) => one.length === right.length && timingSafeEqual(one, right))';
const pyDate = 'abs(time.time() - int(sent)) > 300';

/** Careful clients with one mistake each. */
export const traps: readonly Trap[] = [
  trap('js', 'sends the key without `Bearer`', ["'Bearer ' + key", 'key'], 'lists-orders'),
  trap(
    'py',
    'reads the first order of an empty list',
    ['    for row in rows:', '    rows[0]\n    for row in rows:'],
    'empty-list',
  ),
  trap(
    'js',
    'parses ids as doubles',
    ['undefined : parse(text) }', 'undefined : JSON.parse(text) }'],
    'int64-read',
  ),
  trap(
    'py',
    'reads the first 1,000 orders',
    ['show(call(V1 + "/store/orders")[2])', 'show(call(V1 + "/store/orders")[2][:1000])'],
    'large-list',
  ),
  trap('js', 'reads the first page', ['while (cursor)', 'while (false)'], 'pages'),
  trap(
    'py',
    'takes an invalid cursor for the end',
    [
      '    while cursor is not None:\n        page = ',
      '    while cursor is not None:\n        try: call(V2 + "/store/orders?limit=1000" + (cursor and "&cursor=" + cursor))\n        except SystemExit: return\n        page = ',
    ],
    'cursor-expires',
  ),
  trap('py', 'sends no `If-None-Match`', [', headers={"If-None-Match": headers["ETag"]}', ''], 'etag'),
  trap(
    'js',
    'prints its cached list, whatever the second response is',
    ['again.status === 304 ? body : again.body', 'body'],
    'etag-changed',
  ),
  trap(
    'js',
    'rejects fields that it does not know',
    [
      "console.log((await call(v2 + '/pets/1')).body.name)",
      "{ const pet = (await call(v2 + '/pets/1')).body; if ('stock' in pet) throw new Error('stock'); console.log(pet.name); }",
    ],
    'unknown-field',
  ),
  trap(
    'js',
    'makes a number of the id',
    [
      "call(v1 + '/store/orders/' + env.PETSTORE_ORDER_ID,",
      "call(v1 + '/store/orders/' + Number(env.PETSTORE_ORDER_ID),",
    ],
    'int64-write',
  ),
  trap(
    'js',
    'parses the body of a 204',
    ["text === '' ? undefined : parse(text) }", 'parse(text) }'],
    'no-content',
  ),
  trap('py', 'retries 409', [pyFinal, 'not in (409, 429, 503)'], 'conflict-is-final'),
  trap('js', 'takes each 404 of a cancel for done', ["'DELETE' && isUnsure", "'DELETE'"], 'missing-is-final'),
  trap(
    'js',
    'reports the 404 after a lost response',
    ["'DELETE' && isUnsure", "'DELETE' && false"],
    'lost-cancel',
  ),
  trap(
    'js',
    'takes a cancel without a response for done',
    [
      '      if (isRepeatable && left > 0) continue;',
      "      if (init.method === 'DELETE') return {};\n      if (isRepeatable && left > 0) continue;",
    ],
    'dropped-cancel',
  ),
  trap('py', 'does not retry a cancel', ['method != "POST" or', 'method == "GET" or'], 'lost-cancel'),
  trap('py', 'retries 401', [pyFinal, 'not in (401, 429, 503)'], 'refused-key-is-final'),
  trap(
    'js',
    'places each order twice',
    ["'place-order': placeOrder,", "'place-order': () => placeOrder().then(placeOrder),"],
    'places-once',
  ),
  trap(
    'js',
    'sends a constant `Idempotency-Key`',
    [jsKey, "headers: { 'idempotency-key': 'constant' },"],
    'places-again',
    'two-orders',
  ),
  trap(
    'sh',
    'sends a constant `Idempotency-Key`',
    ['$(cat /proc/sys/kernel/random/uuid)', 'constant'],
    'places-again',
    'two-orders',
  ),
  {
    ...trap(
      'js',
      'makes one `Idempotency-Key` for each run',
      [jsKey, "headers: { 'idempotency-key': run },"],
      'two-orders',
    ),
    changes: [
      [jsKey, "headers: { 'idempotency-key': run },"],
      ['const TRIES = 3;', 'const TRIES = 3;\nconst run = randomUUID();'],
    ],
  },
  trap(
    'sh',
    'retries an order without an `Idempotency-Key`',
    [' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"', ''],
    'lost-answer',
    'dropped-change',
  ),
  trap(
    'py',
    'does not retry',
    ['if not is_repeatable or left == 0:', 'if True:'],
    'dropped-read',
    'reset-connection',
    'lost-answer',
  ),
  trap(
    'js',
    'does not retry a reset connection',
    [
      'if (isRepeatable && left > 0) continue;',
      "if (isRepeatable && left > 0 && error.cause?.code !== 'ECONNRESET') continue;",
    ],
    'reset-connection',
  ),
  trap(
    'py',
    'uses a connection that the service has closed',
    [
      '    for _ in range(2):\n        show(call(V1 + "/pets")[2])',
      '    place = urllib.parse.urlsplit(V1)\n    pool = http.client.HTTPConnection(place.hostname, place.port)\n    for _ in range(2):\n        pool.request("GET", place.path + "/pets", headers={"Authorization": "Bearer " + KEY})\n        pool.auto_open = 0\n        show(json.loads(pool.getresponse().read()))',
    ],
    'stale-connection',
  ),
  trap(
    'js',
    'always waits 2.5 s',
    ["milliseconds(headers.get('retry-after') ?? '1')", '2500'],
    'retry-after',
  ),
  trap('sh', 'always waits 6 s', ['sleep "$after"', 'sleep 6'], 'retry-after'),
  trap(
    'py',
    'takes a date for one second',
    ['return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())', 'return 1'],
    'retry-after-date',
  ),
  trap(
    'js',
    'tries 200 times without a pause',
    ['const TRIES = 3;', 'const TRIES = 200;'],
    'gives-up',
    'garbage',
  ),
  trap('py', 'has no timeout', ['timeout=TIMEOUT', 'timeout=None'], 'never-responds'),
  trap('js', 'has no timeout', [', signal: AbortSignal.timeout(TIMEOUT_MS)', ''], 'never-responds'),
  trap(
    'sh',
    'pipes curl into a filter, whatever its exit status',
    [
      'call GET "$PETSTORE_URL/store/orders"; ids ;;',
      'curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" | grep -o \'{"id":[0-9]*\' | cut -d: -f2 || true ;;',
    ],
    'truncated-body',
    'garbage',
  ),
  trap(
    'js',
    'gives a whole response one second',
    ['TIMEOUT_MS = 15_000', 'TIMEOUT_MS = 1_000'],
    'slow-answer',
  ),
  trap(
    'js',
    'prints a warning of its package manager',
    [
      "console.error(url + ' is deprecated; sunset: ' + headers.get('sunset'));",
      "console.error('npm warn deprecated inflight@1.0.6: this module is not supported');",
    ],
    'deprecation',
  ),
  trap('py', 'retries 410', [pyFinal, 'not in (410, 429, 503)'], 'gone'),
  trap(
    'py',
    'reconnects without its last id',
    ['{"Last-Event-ID": last}', '{"Last-Event-ID": os.environ["PETSTORE_AFTER"]}'],
    'stream-resumes',
  ),
  trap(
    'js',
    'does not decode the secret',
    ["replace('whsec_', ''), 'base64')", "replace('whsec_', ''))"],
    'webhook-accepted',
  ),
  trap(
    'js',
    'verifies JSON that it has written again',
    ["'.' + sent + '.' + body;", "'.' + sent + '.' + JSON.stringify(JSON.parse(body));"],
    'webhook-raw-body',
  ),
  trap(
    'js',
    'compares six characters of the signature',
    [jsCompare, '.some((one) => one.subarray(0, 9).equals(right.subarray(0, 9)))'],
    'webhook-forged',
  ),
  trap(
    'py',
    'verifies no signature',
    [
      'return any(hmac.compare_digest(right, one) for one in headers.get("webhook-signature", "").split(" "))',
      'return True',
    ],
    'webhook-forged',
    'webhook-unsigned',
    'webhook-tampered',
    'webhook-rolled',
  ),
  trap(
    'js',
    'accepts what has no signature',
    [
      'const isGood = isSigned(request.headers, body);',
      "const isGood = !('webhook-signature' in request.headers) || isSigned(request.headers, body);",
    ],
    'webhook-unsigned',
  ),
  trap(
    'js',
    'looks at the first signature only',
    [".split(' ')\n    .map", ".split(' ').slice(0, 1)\n    .map"],
    'webhook-rolled',
  ),
  trap('py', 'accepts an old timestamp', [pyDate, 'int(sent) - time.time() > 300'], 'webhook-stale'),
  trap('py', 'accepts a future timestamp', [pyDate, 'time.time() - int(sent) > 300'], 'webhook-future'),
  trap(
    'js',
    'checks a timestamp only if there is one',
    [jsDate, 'if (sent && Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;'],
    'webhook-undated',
  ),
  trap(
    'js',
    'processes a repeated delivery again',
    ['if (isGood && !taken.has(id)) {', 'if (isGood) {'],
    'webhook-twice',
  ),
];

/** Careful clients that do more than they must, which no question may hold against them. */
export const variants: readonly Trap[] = [
  trap('js', 'sends `GET /pets` before it does anything', [
    'await tasks[',
    "await open(v1 + '/pets');\nawait tasks[",
  ]),
  trap('py', 'probes `/healthz` first', [
    '\ntask()\n',
    '\nurllib.request.urlopen(V1.removesuffix("/v1") + "/healthz", timeout=TIMEOUT).read()\ntask()\n',
  ]),
];

function trap(language: Language, does: string, change: Change, ...fails: string[]): Trap {
  return { does, language, changes: [change], fails };
}

/** The client with its mistake. */
export function textOf({ language, changes }: Trap): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the ${language} client does not contain: ${from}`);
    return text.replace(from, () => to);
  }, careful[language].text);
}
