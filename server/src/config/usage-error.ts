/** Invalid arguments or environment variables. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What a command names, such as a store or a key, does not exist. Exit code 5. */
export class NotFound extends Error {
  override name = 'NotFound';
}
