export function writerThread(): URL {
  return new URL('./sqlite-writer-thread.ts', import.meta.url);
}

export function senderThread(): URL {
  return new URL('./webhook-sender-thread.ts', import.meta.url);
}
