import { parseDateTime } from '../http/encoding/date-time.ts';
import { ApiError } from '../http/errors.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type Fault, faultNames, faultOf, type RequestPreferences } from './fault-kinds.ts';

/** Dates that are counted on from the latest moment are still in a year of four digits. */
const LATEST_NOW = Date.parse('9999-01-01T00:00:00Z');

/** The wishes of a `Prefer` header that can be applied. In strict handling, all others are refused. */
export function applicablePreferences(
  header: string,
  operation: string,
  now: number,
  documented: DocumentedErrors,
) {
  const preferences = readPreferences(header);
  const isStrict = preferences.some(({ name, value }) => name === 'handling' && value === 'strict');
  let applied: RequestPreferences = {};
  for (const preference of preferences) {
    const effect = effectOf(preference, now);
    const isFirst = effect && Object.keys(effect).every((kind) => !Object.hasOwn(applied, kind));
    if (isFirst && documented.isDocumented(operation, effect.fault?.code))
      applied = { ...applied, ...effect };
    else if (isStrict && preference.name !== 'handling')
      throw new ApiError(
        'invalid_preference',
        `The preference '${preference.text.slice(0, 100)}' is unknown, or cannot be applied to this request.`,
      );
  }
  return applied;
}

function effectOf(
  { name, value, parameters, text }: Preference,
  now: number,
): RequestPreferences | undefined {
  if (name === 'now') {
    const moment = Number(parseDateTime(value) ?? Number.NaN);
    return moment >= now && moment <= LATEST_NOW ? { now: { moment, text } } : undefined;
  }
  const fault = faultFrom(name, value, parameters);
  return fault && { fault: { ...fault, text } };
}

/** `code=409` is short for `fault=status; code=409`. */
function faultFrom(name: string, value: string, parameters: Preference['parameters']): Fault | undefined {
  const kind = faultNames.find((one) => one === value);
  if (name === 'fault') return kind && faultOf(kind, 'text', parameters);
  if (name !== 'code') return undefined;
  const { retryafter, retryafterform } = parameters;
  const given = { code: value, ...(retryafter && { retryafter }), ...(retryafterform && { retryafterform }) };
  return faultOf('status', 'text', given);
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
const nameAndValue = String.raw`(${token})(?:[ \t]*=[ \t]*(${token}|${quotedText}))?[ \t]*`;
const parameter = String.raw`;[ \t]*(?:${nameAndValue})?`;
const parameterPattern = new RegExp(parameter, 'g');
/** What is well-formed, and whatever follows up to a comma: there is nothing to try twice. */
const preferencePattern = new RegExp(
  String.raw`(?:[ \t]*${nameAndValue}(?<given>(?:${parameter})*))?(?<rest>[^,]*)`,
  'g',
);

/** The first preference of each name. Text that is none counts as one whose name nobody knows. */
export function readPreferences(header: string): Preference[] {
  const found = new Map<string, Preference>();
  for (const match of header.matchAll(preferencePattern)) {
    const preference = preferenceOf(match);
    if (preference.name !== '' && !found.has(preference.name)) found.set(preference.name, preference);
  }
  return [...found.values()];
}

function preferenceOf({ 0: all, 1: name, 2: value, groups = {} }: RegExpExecArray): Preference {
  const parameters: Record<string, string> = Object.create(null);
  if (name === undefined || groups.rest !== '')
    return { name: all.trim(), value: '', parameters, text: all.trim() };
  for (const [, key, given] of (groups.given ?? '').matchAll(parameterPattern))
    if (key !== undefined) parameters[key.toLowerCase()] ??= unquoted(given);
  const text = value === undefined ? name : `${name}=${value}`;
  return { name: name.toLowerCase(), value: unquoted(value), parameters, text };
}

function unquoted(value = ''): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}
