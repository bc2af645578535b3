/** A mistake on the command line or in the environment. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A thing that a command was told to work on is not there. Exit code 5. */
export class UnknownThing extends Error {
  override name = 'UnknownThing';
}
