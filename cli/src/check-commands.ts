import { exitCodes, NoVerdict } from '../../checks/src/engine/exit-codes.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { checkFlags } from './check-flags.ts';
import { checkGatewayHelp, gatewayFlags } from './check-gateway-flags.ts';
import { type Call, type CommandGroup, commandsOf, type Flags } from './command-group.ts';
import type { CliFlag } from './flags.ts';
import { InternalFailure } from './internal-failure.ts';
import { Interrupted } from './interrupted.ts';

/** Loads a check on first use and runs it. Internal failures get an exit code that no verdict has. */
const checkCommand =
  (load: () => Promise<(call: Call) => Promise<number>>) =>
  async (call: Call): Promise<number> => {
    call.setCrashCode(exitCodes.internalError);
    try {
      return await (await load())(call);
    } catch (error) {
      if (error instanceof UsageError || error instanceof Interrupted) throw error;
      if (error instanceof NoVerdict) throw new InternalFailure(exitCodes.noVerdict, error);
      throw new InternalFailure(exitCodes.internalError, { cause: error });
    }
  };

/** Commands that test API clients and test suites. */
export function addCheckCommands(root: CommandGroup): void {
  root
    .add(
      'check-client [COMMAND...]',
      'Test an API client: run it (-- COMMAND…) against a private store, once per edge case',
      { ...checkFlags, template },
      checkCommand(async () => (await import('./commands/check-client.ts')).checkClient),
    )
    .passThroughOptions()
    .addHelpText('after', checkClientHelp);
  root
    .add(
      'check-suite [COMMAND...]',
      'Test a test suite: run it (-- COMMAND…) against services with one planted bug each',
      { ...checkFlags, ...suiteFlags },
      checkCommand(async () => (await import('./commands/check-suite.ts')).checkSuite),
    )
    .passThroughOptions()
    .addHelpText('after', checkSuiteHelp);
  root
    .add(
      'check-service',
      'Test a service or a mock against the specification',
      {
        ...serviceFlags,
        ...checkFlags,
        timeout: { ...checkFlags.timeout, help: 'Timeout of each request (default 60)' },
      },
      checkCommand(async () => (await import('./commands/check-service.ts')).checkService),
    )
    .addHelpText('after', checkServiceHelp);
  root
    .add(
      'check-gateway [COMMAND...]',
      'Test a gateway: send requests through it (--through URL) to a private origin, and compare both sides',
      { ...checkFlags, ...gatewayFlags },
      checkCommand(async () => (await import('./commands/check-gateway.ts')).checkGateway),
    )
    .passThroughOptions()
    .addHelpText('after', checkGatewayHelp);
  root.group('class', 'Summarize the check-suite results of a group of students').add(
    'report <DIR>',
    'Combine the results of check-suite --json in a folder, one file per suite, into one sheet',
    {
      html: { value: 'FILE', help: 'Write the sheet as an HTML page', variable: false },
      json: { help: 'Print JSON', variable: false },
    },
    commandsOf(() => import('./commands/class-report.ts'))('classReport'),
  );
}

const template: CliFlag = {
  value: 'LANGUAGE',
  help: 'Print a starter client in python, javascript, java or go',
  variable: false,
  choices: ['python', 'javascript', 'java', 'go'],
};

const suiteFlags: Flags = {
  topic: {
    value: 'TOPIC',
    help: 'Only bugs of one topic: function or security',
    variable: false,
    choices: ['function', 'security'],
  },
  draw: {
    value: 'SEED',
    help: 'Only a random selection of bugs; the same seed selects the same bugs',
    variable: false,
  },
  count: { value: 'N', help: 'Number of bugs to select (default 12)', variable: false },
  reveal: { help: 'Show the names and descriptions of the bugs', variable: false },
  jobs: { value: 'N', help: 'Number of parallel runs (default: one per core)', variable: false },
};

const serviceFlags: Flags = {
  url: { value: 'URL', help: 'Base URL of the service, with any path: http://host/shop/v1' },
  key: { value: 'KEY', help: 'API key of a store', secret: true },
  level: {
    value: 'LEVEL',
    help: 'spec: the specification alone (default); v1: also what version 1 defines where the specification is silent; all: also version 2',
    variable: false,
    choices: ['spec', 'v1', 'all'],
  },
  pending: {
    value: 'ID',
    help: 'Pending order to cancel (default: found by trial and error)',
    variable: false,
  },
  shipped: {
    value: 'ID',
    help: 'Order that has shipped (default: found by trial and error)',
    variable: false,
  },
  'read-only': { help: 'Send nothing that changes the store', variable: false },
  'staging-url': { value: 'URL', help: 'Base URL of the staging deployment', variable: false },
  'staging-key': { value: 'KEY', help: 'Staging API key', variable: false },
  'read-key': {
    value: 'KEY',
    help: 'Read-only API key of any store of the deployment at --url (level all)',
    variable: false,
  },
  'documented-only': {
    help: 'Send only well-formed calls of documented operations, for runs through a validating proxy',
    variable: false,
  },
  base: { value: 'URL', help: 'Alias of --url', variable: false, hidden: true },
  'staging-base': { value: 'URL', help: 'Alias of --staging-url', variable: false, hidden: true },
};

const checkServiceHelp = `
--only accepts ids and prefixes: spec.cancel selects every check whose id starts with it, regardless of --level.

Exit codes:
  0  every check passed
  1  a check failed
  2  usage error
  3  the service can't be reached, or it rejects the key
  4  internal error: no verdict
`;

const checkSuiteHelp = `
The suite must first pass twice against the correct service, then runs once per bug. To confirm the noticed bugs, it
runs against each of them again, and more often against the correct service, in random order. Each run gets a new store
with the demo data, and these environment variables:
  PETSTORE_URL        base URL of the service, ending in /v1; PETSTORE_V2_URL is the same with /v2
  PETSTORE_KEY        API key; PETSTORE_READ_KEY is a read-only key of the same store
  PETSTORE_OTHER_KEY  API key of another store on the same service, for security tests
  PETSTORE_JUNIT      path for a JUnit report: write one to see which tests noticed each bug
The suite must exit with 0 if all tests pass, and with any other code if a test fails. Bugs are listed by number; --only
accepts numbers and names. A bug is noticed if a run triggered it and failed.

Exit codes:
  0  the suite noticed every bug
  1  a bug was not noticed
  2  usage error, or the suite could not be run
  3  the suite fails against the correct service, or is flaky
  4  internal error: no verdict
`;

const checkClientHelp = `
The client runs once per check, with its task in environment variables:
  PETSTORE_URL       base URL of the store, ending in /v1; PETSTORE_V2_URL is the same with /v2
  PETSTORE_KEY       API key
  PETSTORE_TASK      list-orders: print the id of every order, one per line (v1)
                     list-orders-twice: request the same list twice in one run, and print the second one
                     list-pages: print the id of every order, cancelled or not, following the pages of v2
                     list-pets-twice: print the id of every pet, twice in one run (v1)
                     get-pet, get-pet-v1: print the name of pet 1 (v2, v1)
                     cancel-order: cancel order PETSTORE_ORDER_ID (v1)
                     place-order: order one unit of pet 1 (v2); place-two-orders: place two such orders
                     watch-events: print the id of every event of the stream after PETSTORE_AFTER, and exit after
                     PETSTORE_COUNT events
                     receive-webhooks: listen on PETSTORE_WEBHOOK_URL, print the id of every event signed with
                     PETSTORE_WEBHOOK_SECRET once, and exit after PETSTORE_COUNT events
The client must exit with 0 on success, with 64 for a task it does not support, and with any other code on failure.

Exit codes:
  0  every attempted check passed
  1  a check failed
  2  usage error, or the client could not be run
  3  no check was attempted
  4  internal error: no verdict
`;
