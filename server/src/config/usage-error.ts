/** A mistake on the command line or in the environment. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
