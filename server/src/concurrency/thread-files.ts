/** The file of each worker thread. The executable has no files: in it, packaging replaces these functions by ones that return scripts as text. */
export function writerThread(): URL | string {
  return new URL('../app/sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL | string {
  return new URL('../app/webhook-sender-thread.ts', import.meta.url);
}
