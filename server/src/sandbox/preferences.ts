/** One preference of a request, as RFC 7240 writes it: `fault=delay; ms=2000`. */
export interface Preference {
  readonly name: string;
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly text: string;
}

const word = String.raw`(?:[!#$%&'*+.^_\`|~0-9A-Za-z-]+|"(?:[^"\\]|\\[\t -~])*")`;
const pair = String.raw`([!#$%&'*+.^_\`|~0-9A-Za-z-]+)(?:[ \t]*=[ \t]*(${word}))?`;
const first = new RegExp(`[ \\t]*${pair}[ \\t]*`, 'y');
const more = new RegExp(`;[ \\t]*(?:${pair})?[ \\t]*`, 'y');

/** The first preference of each name, in one pass. Text that is none counts as one whose name nobody knows. */
export function readPreferences(header: string): Preference[] {
  const found = new Map<string, Preference>();
  for (let at = 0; at < header.length; ) {
    const { preference, end } = preferenceAt(header, at);
    if (preference && !found.has(preference.name)) found.set(preference.name, preference);
    at = end + 1;
  }
  return [...found.values()];
}

function preferenceAt(header: string, start: number): { preference: Preference | undefined; end: number } {
  const isAt = (end: number) => end === header.length || header[end] === ',';
  const parameters: Record<string, string> = Object.create(null);
  const head = matchAt(first, header, start);
  let end = start + (head?.[0].length ?? 0);
  for (let next = head && matchAt(more, header, end); next; next = matchAt(more, header, end)) {
    end += next[0].length;
    if (next[1] !== undefined) parameters[next[1].toLowerCase()] ??= unquoted(next[2]);
  }
  if (head && isAt(end)) {
    const [, name = '', value] = head;
    const text = value === undefined ? name : `${name}=${value}`;
    return { preference: { name: name.toLowerCase(), value: unquoted(value), parameters, text }, end };
  }
  const comma = header.indexOf(',', end);
  end = comma === -1 ? header.length : comma;
  const text = header.slice(start, end).trim();
  return {
    preference: text === '' ? undefined : { name: text, value: '', parameters, text },
    end,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function unquoted(value = ''): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
