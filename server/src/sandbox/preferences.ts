import { parseDateTime } from '../http/encoding/date-time.ts';
import { ApiError } from '../http/errors.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { faultNames, parseFault, type RequestPreferences } from './fault-kinds.ts';

/** Leaves a year for dates derived from it, which have to stay within four-digit years. */
const LATEST_NOW = Date.parse('9999-01-01T00:00:00Z');

/** Returns the preferences that apply to the operation. The others are ignored, or rejected with `handling=strict`. */
export function applicablePreferences(
  header: string,
  operation: string,
  now: number,
  documented: DocumentedErrors,
) {
  const preferences = parsePreferences(header);
  const isStrict = preferences.some(({ name, value }) => name === 'handling' && value === 'strict');
  let applied: RequestPreferences = {};
  for (const preference of preferences) {
    const effect = toEffect(preference, now);
    const isFirst = effect && Object.keys(effect).every((kind) => !Object.hasOwn(applied, kind));
    if (isFirst && documented.isDocumented(operation, effect.fault?.code))
      applied = { ...applied, ...effect };
    else if (isStrict && preference.name !== 'handling')
      throw new ApiError(
        'invalid_preference',
        `The preference '${preference.text.slice(0, 100)}' is unknown or does not apply to this request.`,
      );
  }
  return applied;
}

function toEffect(
  { name, value, parameters, text }: Preference,
  now: number,
): RequestPreferences | undefined {
  if (name === 'now') {
    const time = Number(parseDateTime(value) ?? Number.NaN);
    return time >= now && time <= LATEST_NOW ? { now: { time, text } } : undefined;
  }
  const fault = toFault(name, value, parameters);
  return fault && { fault: { ...fault, text } };
}

/** `code=409` is short for `fault=status; code=409`. */
function toFault(name: string, value: string, parameters: Preference['parameters']) {
  const kind = faultNames.find((kind) => kind === value);
  if (name === 'fault') return kind && parseFault(kind, 'text', parameters);
  if (name !== 'code') return undefined;
  const { retryafter, retryafterform } = parameters;
  const optional = { ...(retryafter && { retryafter }), ...(retryafterform && { retryafterform }) };
  return parseFault('status', 'text', { code: value, ...optional });
}

/** One preference of RFC 7240, such as `fault=delay; ms=2000`. */
interface Preference {
  readonly name: string;
  readonly value: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly text: string;
}

const token = String.raw`[!#$%&'*+.^_\`|~0-9A-Za-z-]+`;
const quotedText = String.raw`"(?:[^"\\]|\\[\t -~])*"`;
const nameAndValue = String.raw`(${token})(?:[ \t]*=[ \t]*(${token}|${quotedText}))?[ \t]*`;
const parameter = String.raw`;[ \t]*(?:${nameAndValue})?`;
const parameterPattern = new RegExp(parameter, 'g');
/** A well-formed preference, then anything up to a comma. Linear: no input makes it backtrack. */
const preferencePattern = new RegExp(
  String.raw`(?:[ \t]*${nameAndValue}(?<parameters>(?:${parameter})*))?(?<rest>[^,]*)`,
  'g',
);

/** Preferences beyond this are ignored: parsing 32 KB would take 40 ms. */
const MAX_LENGTH = 2048;

/** Returns the first preference of each name. Malformed text counts as a preference with an unknown name. */
export function parsePreferences(header: string): Preference[] {
  const byName = new Map<string, Preference>();
  const lastComma = header.length > MAX_LENGTH ? header.lastIndexOf(',', MAX_LENGTH) : -1;
  for (const match of header
    .slice(0, lastComma === -1 ? MAX_LENGTH : lastComma)
    .matchAll(preferencePattern)) {
    const preference = toPreference(match);
    if (preference.name !== '' && !byName.has(preference.name)) byName.set(preference.name, preference);
  }
  return [...byName.values()];
}

function toPreference({ 0: all, 1: name, 2: value, groups = {} }: RegExpExecArray): Preference {
  const parameters: Record<string, string> = Object.create(null);
  if (name === undefined || groups.rest !== '')
    return { name: all.trim(), value: '', parameters, text: all.trim() };
  for (const [, key, text] of (groups.parameters ?? '').matchAll(parameterPattern))
    if (key !== undefined) parameters[key.toLowerCase()] ??= unquote(text);
  const text = value === undefined ? name : `${name}=${value}`;
  return { name: name.toLowerCase(), value: unquote(value), parameters, text };
}

function unquote(value = ''): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
