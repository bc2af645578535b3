export function writerThread(): URL {
  return new URL('../app/sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL {
  return new URL('../app/webhook-sender-thread.ts', import.meta.url);
}
