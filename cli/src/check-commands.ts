import { UsageError } from '../../server/src/config/usage-error.ts';
import type { CliFlag } from './flags.ts';
import { Interrupted } from './interrupted.ts';
import { OwnFailure } from './own-failure.ts';
import type { Call, Flags, Place } from './place.ts';
import { reportFlags } from './report/write-reports.ts';

/** Neither a verdict nor a mistake on the command line. */
const OWN_FAILURE = 4;

/** Runs a check. Whatever keeps it from a verdict ends the program with another code than a verdict does. */
const checking =
  (load: () => Promise<(call: Call) => Promise<number>>) =>
  async (call: Call): Promise<number> => {
    call.setCrashCode(OWN_FAILURE);
    try {
      return await (await load())(call);
    } catch (error) {
      if (error instanceof UsageError || error instanceof Interrupted) throw error;
      throw new OwnFailure(OWN_FAILURE, { cause: error });
    }
  };

/** What puts other people's programs to the test. */
export function addCheckCommands(root: Place): void {
  root
    .add(
      'check-client [COMMAND...]',
      'does your client hold? Runs it (-- COMMAND…) against a private store with each hard case in turn',
      { ...reportFlags, template },
      checking(async () => (await import('./commands/check-client.ts')).checkClient),
    )
    .passThroughOptions()
    .addHelpText('after', checkClientHelp);
  root
    .add(
      'check-suite [COMMAND...]',
      'does your test suite find bugs? Runs it (-- COMMAND…) against services that are each wrong in one place',
      { ...reportFlags, ...suiteFlags },
      checking(async () => (await import('./commands/check-suite.ts')).checkSuite),
    )
    .passThroughOptions()
    .addHelpText('after', checkSuiteHelp);
}

const template: CliFlag = {
  value: 'LANGUAGE',
  help: 'print a client to begin with, in python, javascript, java or go: > FILE',
  variable: false,
  choices: ['python', 'javascript', 'java', 'go'],
};

const suiteFlags: Flags = {
  reveal: { help: 'tell the names of the bugs, and what is wrong', variable: false },
  jobs: { value: 'N', help: 'how many runs at a time (default: one for each core)', variable: false },
};

const checkSuiteHelp = `
The suite is run twice against the right service, which it must pass, and then once for each bug. Every run has a store
of its own with the demonstration data, and is told by variables where it is:
  PETSTORE_URL     where the service is, with /v1; PETSTORE_V2_URL the same with /v2
  PETSTORE_KEY     the key
It ends with 0 when all tests passed, and with anything else when it noticed something. Bugs are shown by number;
--only takes numbers and names.

Exit codes:
  0  every bug was noticed
  1  one was not
  2  the command line is wrong, or the suite cannot be run
  3  the suite fails against the right service, or only sometimes passes
  4  the check itself failed: no verdict
`;

const checkClientHelp = `
The client is run once for each question, and told by variables what to do:
  PETSTORE_URL       where the store is, with /v1; PETSTORE_V2_URL the same with /v2
  PETSTORE_KEY       the key
  PETSTORE_TASK      list-orders, list-orders-twice: print the id of every order, one a line, by v1
                     list-pages: the same by the pages of v2
                     list-pets-twice: print the id of every pet, by v1, twice
                     get-pet, get-pet-v1: print the name of pet 1, by v2 or v1
                     cancel-order: PETSTORE_ORDER_ID, by v1
                     place-order: one unit of pet 1, by v2
                     watch-events: print the id of every event after PETSTORE_AFTER, as the stream brings them,
                     and end after PETSTORE_COUNT of them
                     receive-webhooks: listen at PETSTORE_WEBHOOK_URL, print the id of every event that comes signed
                     with PETSTORE_WEBHOOK_SECRET, each once, and end after PETSTORE_COUNT of them
It ends with 0 when it did so, with 64 for a task that it does not know, and with anything else when it failed.

Exit codes:
  0  every question that was tried was passed
  1  one was not, or none was tried
  2  the command line is wrong, or the client cannot be run
  4  the check itself failed: no verdict
`;
