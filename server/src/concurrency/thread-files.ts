/** The file of each worker thread. In the executable, which has no files, packaging makes these return the script's text. */
export function writerThread(): URL | string {
  return new URL('../app/sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL | string {
  return new URL('../app/webhook-sender-thread.ts', import.meta.url);
}
