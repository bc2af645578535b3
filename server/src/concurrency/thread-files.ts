/** The executable has the text of these threads instead. */
export function writerThread(): URL | string {
  return new URL('../app/sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL | string {
  return new URL('../app/webhook-sender-thread.ts', import.meta.url);
}
