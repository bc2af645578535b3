/** Failures are not cached: the next call tries again. */
export function memoizeAsync<T>(compute: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= compute().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
