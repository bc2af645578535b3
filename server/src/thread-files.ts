export const threads = {
  'sqlite-writer-thread': new URL('./sqlite-writer-thread.ts', import.meta.url),
};

export type ThreadName = keyof typeof threads;

export function threadFile(name: ThreadName): URL {
  return threads[name];
}
