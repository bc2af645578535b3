import { parseDateTime } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type Fault, faultNames, faultOf, type Wishes } from './fault-kinds.ts';

/** Dates that are counted on from the latest moment are still in a year of four digits. */
const LATEST_NOW = Date.parse('9999-01-01T00:00:00Z');

/** The wishes of a `Prefer` header that can be applied, and their texts. In strict handling, all others are refused. */
export function wishesOf(
  header: string,
  operation: string,
  now: number,
  documented: DocumentedErrors,
): { wishes: Wishes; applied: string[] } {
  const preferences = readPreferences(header);
  const isStrict = preferences.some(({ name, value }) => name === 'handling' && value === 'strict');
  let wishes: Wishes = {};
  const applied: string[] = [];
  for (const preference of preferences) {
    const wish = wishOf(preference, now);
    const isFirst = wish && Object.keys(wish).every((kind) => !Object.hasOwn(wishes, kind));
    if (isFirst && documented.isDocumented(operation, wish.fault?.code)) {
      wishes = { ...wishes, ...wish };
      applied.push(preference.text);
    } else if (isStrict && preference.name !== 'handling')
      throw new ApiError(
        'invalid_preference',
        `The preference '${preference.text.slice(0, 100)}' is unknown, or cannot be applied to this request.`,
      );
  }
  return { wishes, applied };
}

function wishOf({ name, value, parameters }: Preference, now: number): Wishes | undefined {
  if (name === 'now') {
    const moment = Number(parseDateTime(value) ?? Number.NaN);
    return moment >= now && moment <= LATEST_NOW ? { now: moment } : undefined;
  }
  const fault = faultWished(name, value, parameters);
  return fault && { fault };
}

/** `code=409` is short for `fault=status; code=409`. */
function faultWished(name: string, value: string, parameters: Preference['parameters']): Fault | undefined {
  const kind = faultNames.find((one) => one === value);
  if (name === 'fault') return kind && faultOf(kind, 'text', parameters);
  if (name !== 'code') return undefined;
  const { retryafter, retryafterform } = parameters;
  return faultOf('status', 'text', {
    code: value,
    ...(retryafter && { retryafter }),
    ...(retryafterform && { retryafterform }),
  });
}

/** One preference of a request, as RFC 7240 writes it: `fault=delay; ms=2000`. */
interface Preference {
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
