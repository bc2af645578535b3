export function writerThread(): URL {
  return new URL('./sqlite-writer-thread.ts', import.meta.url);
}
