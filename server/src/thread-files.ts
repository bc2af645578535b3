/** The module of every thread, where the sources have it. */
export const threads = {
  'sqlite-writer-thread': new URL('./sqlite-writer-thread.ts', import.meta.url),
};

export type ThreadName = keyof typeof threads;

/** What a thread is started from. A bundle has a module of its own in the place of this one. */
export function threadFile(name: ThreadName): URL {
  return threads[name];
}
