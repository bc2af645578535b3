import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { documents } from '../server/src/api/contract.ts';
import {
  asArray,
  asObject,
  breakingSchemaChanges,
  type Direction,
  type Documents,
  type Json,
  resolved,
} from './breaking-schema.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Every change from one OpenAPI document to the next that can break a client of the first: its requests must still be
 * accepted, and responses must still match the first document.
 */
export function breakingChanges(before: Json, after: Json): string[] {
  const both = { before, after };
  const operations = Object.entries(asObject(before.paths)).flatMap(([path, item]) =>
    methods
      .filter((method) => method in asObject(item))
      .map((method) => ({
        name: `${method.toUpperCase()} ${path}`,
        was: asObject(asObject(item)[method]),
        is: asObject(asObject(after.paths)[path])[method],
      })),
  );
  return [
    ...baseAddressChanges(both),
    ...securitySchemeChanges(both),
    ...operations.flatMap(({ name, was, is }) =>
      is === undefined ? [`${name} is gone`] : operationChanges(name, was, asObject(is), both),
    ),
  ];
}

/** The host is up to the deployment; the version prefix is part of every address. */
function baseAddressChanges({ before, after }: Documents): string[] {
  const prefixes = ({ servers }: Json) =>
    asArray(servers).map((server) => String(asObject(server).url).replace(/^https?:\/\/[^/]+/, ''));
  return [...new Set(prefixes(before))]
    .filter((prefix) => !prefixes(after).includes(prefix))
    .map((prefix) => `the base address ${prefix} is gone`);
}

function securitySchemeChanges({ before, after }: Documents): string[] {
  const schemes = ({ components }: Json) => asObject(asObject(components).securitySchemes);
  return Object.entries(schemes(before))
    .filter(([name, scheme]) => {
      const [was, is] = [asObject(scheme), asObject(schemes(after)[name])];
      return ['type', 'scheme', 'in', 'name'].some((field) => was[field] !== is[field]);
    })
    .map(([name]) => `the security scheme ${name} changed`);
}

function operationChanges(name: string, was: Json, is: Json, both: Documents): string[] {
  const problems: string[] = [];
  if (was.operationId !== is.operationId)
    problems.push(`${name} is called ${is.operationId} instead of ${was.operationId}`);
  const sunset = (operation: Json) => String(operation['x-sunset'] ?? '9999-12-31');
  if (sunset(is) < sunset(was)) problems.push(`${name} is withdrawn earlier, on ${sunset(is)}`);
  return [
    ...problems,
    ...securityChanges(name, was, is, both),
    ...parameterChanges(name, was, is, both),
    ...bodyChanges(name, was, is, both),
    ...responseChanges(name, was, is, both),
  ];
}

/** Each sufficient way to authenticate must remain sufficient. */
function securityChanges(name: string, was: Json, is: Json, { before, after }: Documents): string[] {
  const ways = (operation: Json, root: Json) =>
    asArray(operation.security ?? root.security ?? [{}]).map(asObject);
  return ways(was, before)
    .filter((way) => !ways(is, after).some((other) => Object.keys(other).every((scheme) => scheme in way)))
    .map((way) => `${name} can no longer be used with ${Object.keys(way).join(' and ') || 'no key'}`);
}

function parameterChanges(name: string, was: Json, is: Json, both: Documents): string[] {
  const all = (operation: Json, root: Json) =>
    new Map(
      asArray(operation.parameters)
        .map((parameter) => resolved(parameter, root))
        .map((parameter) => [`${name}: the ${parameter.in} parameter ${parameter.name}`, parameter]),
    );
  const [old, next] = [all(was, both.before), all(is, both.after)];
  const newlyRequired = [...next].filter(
    ([key, { required }]) => required === true && !old.get(key)?.required,
  );
  return [
    ...newlyRequired.map(([key]) => `${key} is now required`),
    ...[...old].flatMap(([key, parameter]) => {
      const other = next.get(key);
      if (!other) return [`${key} is gone`];
      const same = ['style', 'explode'].every((field) => other[field] === parameter[field]);
      return [
        ...(same ? [] : [`${key} is serialized differently`]),
        ...breakingSchemaChanges(key, parameter.schema, other.schema, both, 'request'),
      ];
    }),
  ];
}

function bodyChanges(name: string, was: Json, is: Json, both: Documents): string[] {
  const [old, next] = [resolved(was.requestBody, both.before), resolved(is.requestBody, both.after)];
  const newlyRequired = next.required === true && old.required !== true;
  return [
    ...(newlyRequired ? [`${name} now needs a body`] : []),
    ...contentChanges(`${name}: the body`, old, next, both, 'request'),
  ];
}

function responseChanges(name: string, was: Json, is: Json, both: Documents): string[] {
  return Object.entries(asObject(was.responses)).flatMap(([status, response]) => {
    const what = `${name}: the response ${status}`;
    const other = asObject(is.responses)[status];
    if (other === undefined) return [`${what} is gone`];
    const [old, next] = [resolved(response, both.before), resolved(other, both.after)];
    const lost = Object.keys(asObject(old.headers)).filter((header) => !(header in asObject(next.headers)));
    return [
      ...lost.map((header) => `${what} lost its header ${header}`),
      ...contentChanges(what, old, next, both, 'response'),
    ];
  });
}

function contentChanges(name: string, was: Json, is: Json, both: Documents, direction: Direction): string[] {
  const [old, next] = [asObject(was.content), asObject(is.content)];
  const added = direction === 'response' ? Object.keys(next).filter((type) => !(type in old)) : [];
  return [
    ...added.map((type) => `${name} can now be ${type}`),
    ...Object.entries(old).flatMap(([type, content]) =>
      type in next
        ? breakingSchemaChanges(name, asObject(content).schema, asObject(next[type]).schema, both, direction)
        : [`${name} can no longer be ${type}`],
    ),
  ];
}

/** Compares the program's v1 document with the committed one, which may only change compatibly. */
export function checkBreakingChanges(): void {
  const committed = asObject(parse(readFileSync(new URL('v1.yaml', import.meta.url), 'utf8')));
  const problems = breakingChanges(committed, JSON.parse(JSON.stringify(documents['/v1'])));
  for (const problem of problems) console.error(`v1 would break its clients: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) checkBreakingChanges();
