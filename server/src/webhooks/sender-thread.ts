import { startThread } from '../concurrency/start-thread.ts';
import { senderThread } from '../concurrency/thread-files.ts';
import { timeouts } from '../config/timeouts.ts';
import type { Attempt } from './delivery.ts';
import { attemptOf, failure, type WebhookMessage, type WebhookSender } from './webhook-sender.ts';

export interface SenderThreadData {
  readonly allowPrivate: boolean;
}

export type ToSenderThread = { readonly number: number; readonly message: WebhookMessage };
export type FromSenderThread = { readonly number: number; readonly attempt: Attempt };

/** A thread that has not responded this long after an attempt's timeout counts as hung. */
const RESPONSE_MARGIN_MS = 5_000;
const MAX_HEAP_MB = 128;

/**
 * Sends from a worker thread, so that no receiver can block the event loop that serves requests. The first attempt starts
 * the thread. If it ends or hangs, its attempts fail, and the next attempt starts a new thread. It does not keep the process alive.
 */
export function openSenderThread(workerData: SenderThreadData, file = senderThread()): WebhookSender {
  let thread: ReturnType<typeof start> | undefined;
  let lastNumber = 0;

  function start() {
    const inFlight = new Map<number, (error: unknown, attempt?: Attempt) => void>();
    const worker = startThread(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const end = (error: unknown) => {
      if (thread?.worker === worker) thread = undefined;
      for (const settle of inFlight.values()) settle(error);
      void worker.terminate();
    };
    worker
      .on('message', ({ number, attempt }: FromSenderThread) => inFlight.get(number)?.(undefined, attempt))
      .on('error', end)
      .on('exit', () => end(new Error('internal error: the attempt was interrupted')))
      .unref();
    return { worker, inFlight, end };
  }

  return {
    async send(message, signal) {
      thread ??= start();
      const { worker, inFlight, end } = thread;
      const number = ++lastNumber;
      const started = performance.now();
      const { promise, resolve } = Promise.withResolvers<Attempt>();
      const settle = (error: unknown, attempt?: Attempt) =>
        resolve(attempt ?? attemptOf(message, Math.round(performance.now() - started), failure(error)));
      const hung = new Error('internal error: the sender did not respond');
      const timeout = setTimeout(end, timeouts.attemptTimeoutMs + RESPONSE_MARGIN_MS, hung).unref();
      const abort = () => settle(signal?.reason);
      signal?.addEventListener('abort', abort);
      inFlight.set(number, settle);
      worker.postMessage({ number, message } satisfies ToSenderThread);
      const attempt = await promise;
      clearTimeout(timeout);
      signal?.removeEventListener('abort', abort);
      inFlight.delete(number);
      return attempt;
    },

    close() {
      thread?.end(new Error('internal error: the attempt was interrupted'));
    },
  };
}
