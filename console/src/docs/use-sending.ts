import { useRef, useState } from 'react';
import type { Call } from './call.ts';
import { currentKey, discardRejectedKey } from './key.ts';

/** Longer responses are truncated. */
const MAX_TEXT = 200_000;

/** The result of a request; no status means no response. */
export interface RequestResult {
  readonly status: number | undefined;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly text: string;
  readonly isTruncated: boolean;
  readonly ms: number;
}

/** Sends requests with the current key and streams their responses. */
export function useSending() {
  const [result, setResult] = useState<RequestResult>();
  const [isSending, setSending] = useState(false);
  const stopping = useRef(new AbortController());

  const send = async (call: Call) => {
    stopping.current = new AbortController();
    setSending(true);
    setResult(undefined);
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    try {
      const response = await sendWithKey(call, { signal: stopping.current.signal, isTryIt: true });
      const head = { status: response.status, headers: [...response.headers], ms: elapsed() };
      setResult({ ...head, text: '', isTruncated: false });
      await readText(response, (text, isTruncated) => setResult({ ...head, text, isTruncated }));
    } catch {
      if (!stopping.current.signal.aborted)
        setResult({ status: undefined, headers: [], text: '', isTruncated: false, ms: elapsed() });
    } finally {
      setSending(false);
    }
  };

  return { result, isSending, send, stop: () => stopping.current.abort() };
}

/** A 401 means that nothing was done, so it retries once with a new session key. */
export async function sendWithKey(...sending: Parameters<typeof sendOnce>): Promise<Response> {
  const response = await sendOnce(...sending);
  return response.status === 401 && discardRejectedKey() ? sendOnce(...sending) : response;
}

async function sendOnce(
  { method, url, headers, body }: Call,
  { signal, isTryIt }: { readonly signal?: AbortSignal; readonly isTryIt: boolean },
): Promise<Response> {
  const key = await currentKey();
  return fetch(url, {
    method,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ...(key === '' ? [] : [['Authorization', `Bearer ${key}`] satisfies [string, string]]),
      // The inspector logs requests tried out here, but not the console's own.
      ...(isTryIt ? [['X-Tried-Out', 'reference'] satisfies [string, string]] : []),
    ],
    ...(body === undefined ? {} : { body }),
    cache: 'no-store',
    ...(signal && { signal }),
  });
}

/** Reads a response in chunks, so that a stream is shown while it is open. */
async function readText(
  response: Response,
  show: (text: string, isTruncated: boolean) => void,
): Promise<void> {
  if (!response.body) return;
  let text = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > MAX_TEXT) {
      show(text.slice(0, MAX_TEXT), true);
      return reader.cancel();
    }
    show(text, false);
  }
}
