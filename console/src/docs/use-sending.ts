import { useRef, useState } from 'react';
import type { Call } from './call.ts';
import { currentKey, refuseKey } from './key.ts';

/** More of an answer is not shown. */
const MOST_TEXT = 200_000;

/** What came of a call; without a status, nothing came back. */
export interface Sent {
  readonly status: number | undefined;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly text: string;
  readonly isCut: boolean;
  readonly ms: number;
}

/** Sends calls with the key of the page, and shows their answers as they come. */
export function useSending() {
  const [sent, setSent] = useState<Sent>();
  const [isSending, setSending] = useState(false);
  const stopping = useRef(new AbortController());

  const send = async (call: Call) => {
    stopping.current = new AbortController();
    setSending(true);
    setSent(undefined);
    const began = performance.now();
    const since = () => performance.now() - began;
    try {
      const answer = await sendWithKey(call, { signal: stopping.current.signal, isTriedOut: true });
      const head = { status: answer.status, headers: [...answer.headers], ms: since() };
      setSent({ ...head, text: '', isCut: false });
      await readText(answer, (text, isCut) => setSent({ ...head, text, isCut }));
    } catch {
      if (!stopping.current.signal.aborted)
        setSent({ status: undefined, headers: [], text: '', isCut: false, ms: since() });
    } finally {
      setSending(false);
    }
  };

  return { sent, isSending, send, stop: () => stopping.current.abort() };
}

/** Sends once more where the key of the session was refused: then nothing was done yet. */
export async function sendWithKey(...sending: Parameters<typeof sendOnce>): Promise<Response> {
  const answer = await sendOnce(...sending);
  return answer.status === 401 && refuseKey() ? sendOnce(...sending) : answer;
}

async function sendOnce(
  { method, url, headers, body }: Call,
  { signal, isTriedOut }: { readonly signal?: AbortSignal; readonly isTriedOut: boolean },
): Promise<Response> {
  const key = await currentKey();
  return fetch(url, {
    method,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ...(key === '' ? [] : [['Authorization', `Bearer ${key}`] satisfies [string, string]]),
      // The inspector shows what is tried out here, and not what the console asks for itself.
      ...(isTriedOut ? [['X-Tried-Out', 'reference'] satisfies [string, string]] : []),
    ],
    ...(body === undefined ? {} : { body }),
    cache: 'no-store',
    ...(signal && { signal }),
  });
}

/** Reads an answer piece by piece: a stream is shown while it is open. */
async function readText(answer: Response, show: (text: string, isCut: boolean) => void): Promise<void> {
  if (!answer.body) return;
  let text = '';
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > MOST_TEXT) {
      show(text.slice(0, MOST_TEXT), true);
      return reader.cancel();
    }
    show(text, false);
  }
}
