import type { V2Services } from '../api/v2-document.ts';
import { ApiError } from '../http/errors.ts';
import { refuseChangesToReaders } from '../http/guards/caller.ts';
import type { Request } from '../http/server/request.ts';
import { ID_PATTERN, idNames, type Tool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;
const idText = new RegExp(ID_PATTERN);

export async function callTool(
  request: Request,
  tool: Tool,
  given: Arguments,
  services: V2Services,
): Promise<Record<string, unknown>> {
  const asked = requestFor(request, tool, given);
  refuseChangesToReaders(asked);
  const { body = '{}' } = await tool.handle(asked, services);
  return JSON.parse(String(body), idsAsText) as Record<string, unknown>;
}

/** As if the operation itself were asked for, but for the path: it is only said in a Link, and no header is passed on. */
function requestFor(request: Request, { method, taken }: Tool, given: Arguments): Request {
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const argument = taken.get(name);
    if (!argument) throw invalid(name, `is not one of this tool; those are: ${[...taken.keys()].join(', ')}`);
    const { place, schema } = argument;
    const isId = schema.pattern === ID_PATTERN;
    if (isId && !isExactId(value))
      throw invalid(name, 'must be a text of digits, or a whole number of up to 2^53 - 1');
    if (place === 'body') body[name] = isId ? BigInt(value as string | number) : exact(value);
    else if (place === 'path') params[name] = String(value);
    else if (place === 'header') headers['idempotency-key'] = String(value);
    else query.set(name, [value].flat().join(','));
  }
  const missing = taken.values().find(({ name, isRequired }) => isRequired && !Object.hasOwn(given, name));
  if (missing) throw invalid(missing.name, 'is missing');
  return { ...request, method, query: String(query), params, headers, body, answerHeaders: [] };
}

function invalid(name: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `The argument '${name.slice(0, 100)}' ${problem}.`);
}

/** A number that was rounded on its way would name another order or pet. */
function isExactId(value: unknown): boolean {
  return typeof value === 'string' ? idText.test(value) : Number.isSafeInteger(value);
}

/** A number that may have been rounded is no whole number. */
function exact(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function idsAsText(name: string, value: unknown, context?: { source?: string }): unknown {
  return idNames.has(name) && typeof value === 'number' ? (context?.source ?? String(value)) : value;
}
