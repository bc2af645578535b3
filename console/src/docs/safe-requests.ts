export interface SafeRequest {
  readonly path: string;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
}

const MAX_REQUESTS = 6;

const command =
  /^(?:curl(?: -[sSi]+)*|call) "?\$(PETSTORE_URL|PETSTORE_V2_URL)(\/[^\s"'$]*)"?((?: +-H (?:'[^']*'|"[^"]*"))*)$/;

/** The requests of a code block that only reads, with their `Prefer` headers; undefined if it does anything else. */
export function requestsIn(code: string): SafeRequest[] | undefined {
  const lines = code
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
  const requests: SafeRequest[] = [];
  for (const line of lines) {
    const [, base, path = '', flags = ''] = command.exec(line) ?? [];
    if (!base || path.includes('stream') || path.includes('…')) return undefined;
    const given = Array.from(
      flags.matchAll(/'([^']*)'|"([^"]*)"/g),
      ([, single, double]) => single ?? double ?? '',
    );
    const headers = given
      .filter((header) => header.startsWith('Prefer: '))
      .map((header) => ['Prefer', header.slice('Prefer: '.length)] as const);
    requests.push({ path: `${base === 'PETSTORE_URL' ? '/v1' : '/v2'}${path}`, headers });
  }
  return requests.length > 0 && requests.length <= MAX_REQUESTS ? requests : undefined;
}
