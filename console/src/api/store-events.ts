import { noteAnswer } from './connection.ts';
import { sendWithKey } from './token.ts';

/** The service says something at least every 15 seconds: a stream that is silent for longer is lost. */
const SILENCE_MS = 25_000;

/**
 * Follows the store's stream of events until it ends, is lost or `signal` is aborted. Calls back when it is open, and
 * whenever something happened: what exactly, whoever is called reads for themselves.
 */
export async function followStore(onChange: () => void, signal: AbortSignal): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const isAlive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const response = await sendWithKey('/v2/store/events', {
      headers: { accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
      patience: null,
    });
    onChange();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; reader; ) {
      const { done, value } = await reader.read();
      if (done) return;
      isAlive();
      noteAnswer();
      text += value;
      if (/^data:/m.test(text)) onChange();
      text = text.slice(text.lastIndexOf('\n') + 1);
    }
  } finally {
    clearTimeout(timer);
  }
}
