/** The file of each worker thread. Packaging replaces this module: the executable has no files, and returns the text of each. */
export function writerThread(): URL | string {
  return new URL('../app/sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL | string {
  return new URL('../app/webhook-sender-thread.ts', import.meta.url);
}
