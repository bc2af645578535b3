/** One preference of a request, as RFC 7240 writes it: `fault=delay; ms=2000`. */
export interface Preference {
  readonly name: string;
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly text: string;
}

const token = String.raw`[!#$%&'*+.^_\`|~0-9A-Za-z-]+`;
const quotedText = String.raw`"(?:[^"\\]|\\[\t -~])*"`;
const nameAndValue = String.raw`(${token})(?:[ \t]*=[ \t]*(${token}|${quotedText}))?`;
const preferencePattern = new RegExp(String.raw`[ \t]*${nameAndValue}[ \t]*`, 'y');
const parameterPattern = new RegExp(String.raw`;[ \t]*(?:${nameAndValue})?[ \t]*`, 'gy');

/** The first preference of each name. Text that is none counts as one whose name nobody knows. */
export function readPreferences(header: string): Preference[] {
  const found = new Map<string, Preference>();
  for (let start = 0; start < header.length; ) {
    const { preference, end } = preferenceAt(header, start);
    const comma = header.indexOf(',', end);
    const next = comma === -1 ? header.length : comma;
    const read = end === next ? preference : unknownPreference(header.slice(start, next).trim());
    if (read?.name && !found.has(read.name)) found.set(read.name, read);
    start = next + 1;
  }
  return [...found.values()];
}

const unknownPreference = (text: string): Preference => ({ name: text, value: '', parameters: {}, text });

/** Reads a preference as far as the header is well-formed: whether it ends there is for the caller to see. */
function preferenceAt(header: string, start: number): { preference?: Preference; end: number } {
  preferencePattern.lastIndex = start;
  const head = preferencePattern.exec(header);
  if (!head) return { end: start };
  const [all, name = '', value] = head;
  const text = value === undefined ? name : `${name}=${value}`;
  const parameters: Record<string, string> = Object.create(null);
  let end = start + all.length;
  parameterPattern.lastIndex = end;
  for (const [all, name, value] of header.matchAll(parameterPattern)) {
    if (name !== undefined) parameters[name.toLowerCase()] ??= unquoted(value);
    end += all.length;
  }
  return { preference: { name: name.toLowerCase(), value: unquoted(value), parameters, text }, end };
}

function unquoted(value = ''): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
