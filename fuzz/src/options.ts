import { parseArgs } from 'node:util';

export const fuzzerNames = ['api', 'wire', 'pipelines'] as const;
export type FuzzerName = (typeof fuzzerNames)[number];

export interface Options {
  readonly minutes: number;
  readonly requests: number;
  readonly seed: number;
  readonly only: FuzzerName | undefined;
  /** The one attempt to repeat, printing everything sent and received. */
  readonly replay: number | undefined;
  readonly base: string | undefined;
  readonly keys: readonly string[];
}

export class UsageError extends Error {
  override name = 'UsageError';
}

export const help = `npm run fuzz -- [options]

  --minutes N      duration of each fuzzer (default 1)
  --requests N     maximum number of requests per fuzzer (default: no limit)
  --seed S         random seed: the same seed generates the same requests (default: the current time)
  --only NAME      api: requests that the documents allow, nearly allow and forbid; wire: malformed HTTP;
                   pipelines: requests sent before the previous response, by clients that disconnect in every way
  --replay NUMBER  send one request of a run again, with its --seed and --only, and print the exchange
  --base URL       address of a running service, such as http://127.0.0.1:8080 (default: start one)
  --key KEY        API key of a store that may be overwritten, with --base
`;

export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values } = (() => {
    try {
      return parseArgs({
        args: [...args],
        options: {
          minutes: text,
          requests: text,
          seed: text,
          only: text,
          replay: text,
          base: text,
          key: { ...text, multiple: true },
          help: { type: 'boolean' },
        },
      });
    } catch (error) {
      throw new UsageError(String((error as Error).message.split(/\. |\n/)[0]));
    }
  })();
  if (values.help) return undefined;
  const { only, base, key = [] } = values;
  if (only !== undefined && !isFuzzerName(only))
    throw new UsageError(`--only is '${only}': use one of ${fuzzerNames.join(', ')}`);
  if ((base === undefined) !== (key.length === 0))
    throw new UsageError('--base and --key must be used together');
  if (base !== undefined && !URL.canParse(base)) throw new UsageError(`--base is '${base}': use a URL`);
  const replay = values.replay === undefined ? undefined : numberOf('replay', values.replay);
  if (replay !== undefined && (only === undefined || values.seed === undefined))
    throw new UsageError('--replay needs --seed and --only');
  return {
    minutes: numberOf('minutes', values.minutes ?? '1'),
    requests: values.requests === undefined ? Number.MAX_SAFE_INTEGER : numberOf('requests', values.requests),
    seed: values.seed === undefined ? Date.now() % 1_000_000 : numberOf('seed', values.seed),
    only,
    replay,
    base: base === undefined ? undefined : new URL(base).origin,
    keys: key,
  };
}

function isFuzzerName(text: string): text is FuzzerName {
  return fuzzerNames.some((name) => name === text);
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${name} is '${text}': use a number`);
  return number;
}
