import { inspect, styleText } from 'node:util';

const colors = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

/** Fields that `describeRequest` shows, or that are not interesting in a terminal. */
const hiddenFields = 'deployment,id,key,method,path,status,error,ms,address,traceparent'.split(',');

/** Formats a JSON log line for a terminal: time, level and message, then each other field on its own line. */
export function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line);
  const color = colors[level as keyof typeof colors] ?? 'green';
  const message = styleText('cyan', describeRequest(fields) ?? msg ?? '');
  const lines = [`[${time.slice(11)}] ${styleText(color, level.toUpperCase())}: ${message}`];
  for (const [name, value] of Object.entries(fields))
    if (!hiddenFields.includes(name)) lines.push(`${styleText('magenta', name)}: ${textOf(value)}`);
  return `${lines.join('\n').replaceAll('\n', '\n    ')}\n`;
}

function textOf(value: unknown): string {
  const { stack, ...error } = (value ?? {}) as { readonly stack?: unknown };
  if (typeof stack === 'string') return `${stack}\n${inspect(error)}`;
  return typeof value === 'string' ? value : inspect(value, { depth: null });
}

function describeRequest(log: Record<string, unknown>): string | undefined {
  if (log.method === undefined) return undefined;
  const { deployment, method, path, status, error, ms, key, id } = log;
  const outcome = error === undefined ? status : `${status} ${error}`;
  return `${String(deployment).padEnd(10)} ${method} ${path} ${outcome} ${ms} ms  ${key ?? 'no key'}  ${id}`;
}
