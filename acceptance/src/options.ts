import { parseArgs } from 'node:util';

export type Options = {
  base: string;
  key: string;
  staging?: { base: string; key: string };
  documentedOnly: boolean;
};

export class UsageError extends Error {}

export const help = `Checks a running Pet Store service, v1, against every sentence of its specification.

  npm run acceptance -- --base URL --key KEY [--staging-base URL --staging-key KEY] [--documented-only]

  --base URL           the base address, version prefix included: http://127.0.0.1:8080/v1
  --key KEY            an API key of a store that holds the demonstration data
  --staging-base URL   the base address of the other deployment, to check that the two are apart
  --staging-key KEY    a key of that deployment
  --documented-only    send only well-formed calls of documented operations, so that the traffic can
                       pass a validating proxy; a violation it reports is a failure
  --help               this text

\`npm start\` prints the addresses and keys of a local service. Each run cancels at most six orders of
the store (and one of staging), so a fresh store serves several runs. Where the service has a sandbox, the
store of staging is reset: to ids that are hard to keep exact, and then to the demonstration data. This
opens a new store:
npm run petstore -- keys create --deployment production --data DIR

The report has one line a check: ✔ as the sentence says, ✘ not so, – not checked. Its last line counts
them. Exit code: 0 all passed, 1 some failed or no service there, 2 the command was wrong.
`;

/** The options, or `help` when the text above was asked for. */
export function readOptions(args: string[]): Options | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const base = address('--base', values.base);
  const key = present('--key', values.key);
  const options = { base, key, documentedOnly: values['documented-only'] ?? false };
  if (values['staging-base'] === undefined && values['staging-key'] === undefined) return options;
  const staging = {
    base: address('--staging-base', values['staging-base']),
    key: present('--staging-key', values['staging-key']),
  };
  return { ...options, staging };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        base: { type: 'string' },
        key: { type: 'string' },
        'staging-base': { type: 'string' },
        'staging-key': { type: 'string' },
        'documented-only': { type: 'boolean' },
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
  if (!/^[\x21-\x7e]+$/.test(value)) throw new UsageError(`${name} holds characters that no key has`);
  return value;
}

function address(name: string, value: string | undefined): string {
  const text = present(name, value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new UsageError(`${name} is no base address such as http://127.0.0.1:8080/v1: ${text}`);
  }
  return text.replace(/\/+$/, '');
}
