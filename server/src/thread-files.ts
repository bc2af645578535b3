export const threads = {
  'sqlite-writer-thread': new URL('./sqlite-writer-thread.ts', import.meta.url),
};

export type ThreadName = keyof typeof threads;

/** A bundle has another module in the place of this one. */
export function threadFile(name: ThreadName): URL {
  return threads[name];
}
