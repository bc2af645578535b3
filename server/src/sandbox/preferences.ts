/** One preference of a request, as RFC 7240 writes it: `fault=delay; ms=2000`. */
export interface Preference {
  readonly name: string;
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly text: string;
}

/** RFC 7240: a preference is `name=value`, and then `;name=value` for each parameter; a value may be quoted. */
const valuePattern = String.raw`(?:[!#$%&'*+.^_\`|~0-9A-Za-z-]+|"(?:[^"\\]|\\[\t -~])*")`;
const nameAndValue = String.raw`([!#$%&'*+.^_\`|~0-9A-Za-z-]+)(?:[ \t]*=[ \t]*(${valuePattern}))?`;
const preferencePattern = new RegExp(`[ \\t]*${nameAndValue}[ \\t]*`, 'y');
const parameterPattern = new RegExp(`;[ \\t]*(?:${nameAndValue})?[ \\t]*`, 'y');

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
  const isEnd = (end: number) => end === header.length || header[end] === ',';
  const parameters: Record<string, string> = Object.create(null);
  const head = matchAt(preferencePattern, header, start);
  let end = start + (head?.[0].length ?? 0);
  let next = head && matchAt(parameterPattern, header, end);
  while (next) {
    const [all, name, value] = next;
    if (name !== undefined) parameters[name.toLowerCase()] ??= unquoted(value);
    end += all.length;
    next = matchAt(parameterPattern, header, end);
  }
  if (head && isEnd(end)) {
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
