import { parseArgs } from 'node:util';
import { originOf } from '../../../client/src/base-address.ts';

export type Options = {
  base: string;
  key: string;
  readKey?: string;
  staging?: { base: string; key: string };
  documentedOnly: boolean;
  only?: string[];
  json: boolean;
  junit?: string;
};

export class UsageError extends Error {}

export const help = `Checks a running Pet Store service against every sentence of its specification, and version 2 and what
else was decided against every decision.

  npm run acceptance -- --base URL --key KEY [--staging-base URL --staging-key KEY] [options]

  --base URL           the base address, with or without /v1: http://127.0.0.1:8080/v1
  --key KEY            an API key of a store that holds the demonstration data
  --read-key KEY       a key of any store of that deployment that may only read, to check that it does
  --staging-base URL   the base address of the other deployment, to check that the two are apart
  --staging-key KEY    a key of that deployment, whose sandbox is then checked as well
  --only ID,…          only these checks; v2.pages stands for all whose id begins with it and a dot
  --documented-only    send only well-formed calls of documented operations of v1, so that the traffic
                       can pass a validating proxy; a violation it reports is a failure
  --json               print one JSON object instead of text
  --junit FILE         write the report in the form of JUnit as well
  --help               this text

\`npm start\` prints the addresses and keys of a local service. This opens a new store:
npm run petstore -- keys create --deployment production --data DIR

What a run orders, it orders for pets of its own. Neither can be deleted, so it leaves some behind: orders that
are cancelled and a few that are shipped or delivered, and pets of the category acceptance that are sold out.
Webhooks are deleted. Without version 2 there is no placing: a run then cancels up to six orders of the store,
and one of staging.
Where the service has a sandbox, the store of staging is reset: to ids that are hard to keep exact, and in
the end to the demonstration data. Webhooks are checked where the service can reach this machine: on loopback.

The report has one line a check: ✔ as the sentence says, ✘ not so, – not checked; its id in brackets. The
last line counts them. Exit code: 0 all passed, 1 some failed or no service there, 2 the command was wrong.
`;

/** The options, or `help` when the text above was asked for. */
export function readOptions(args: string[]): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const { 'staging-base': stagingBase, 'staging-key': stagingKey, 'read-key': readKey, only, junit } = values;
  const isStaged = stagingBase !== undefined || stagingKey !== undefined;
  return {
    base: address('--base', values.base),
    key: keyOf('--key', values.key),
    documentedOnly: values['documented-only'] ?? false,
    json: values.json ?? false,
    ...(readKey !== undefined && { readKey: keyOf('--read-key', readKey) }),
    ...(isStaged && {
      staging: { base: address('--staging-base', stagingBase), key: keyOf('--staging-key', stagingKey) },
    }),
    ...(only !== undefined && { only: present('--only', only).split(',') }),
    ...(junit !== undefined && { junit: present('--junit', junit) }),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        base: { type: 'string' },
        key: { type: 'string' },
        'read-key': { type: 'string' },
        'staging-base': { type: 'string' },
        'staging-key': { type: 'string' },
        only: { type: 'string' },
        'documented-only': { type: 'boolean' },
        json: { type: 'boolean' },
        junit: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    const [line] = (error as Error).message.split(/\.\s|\n/);
    throw new UsageError(line ?? 'the options cannot be read');
  }
}

function present(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`${name} is missing`);
  return value;
}

function keyOf(name: string, value: string | undefined): string {
  const key = present(name, value);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError(`${name} holds characters that no key has`);
  return key;
}

function address(name: string, value: string | undefined): string {
  const text = present(name, value);
  const origin = originOf(text);
  if (origin !== undefined) return /\/v[12]\/?$/.test(text) ? `${origin}/v1` : origin;
  throw new UsageError(`${name} is no base address such as http://127.0.0.1:8080/v1: ${text}`);
}
