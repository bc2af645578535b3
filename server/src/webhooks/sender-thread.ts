import { Worker } from 'node:worker_threads';
import { senderThread } from '../thread-files.ts';
import type { Attempt } from './delivery.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  attemptOf,
  failure,
  type WebhookMessage,
  type WebhookSender,
} from './webhook-sender.ts';

export interface SenderThreadData {
  readonly allowPrivate: boolean;
}

export type ToSenderThread = { readonly number: number; readonly message: WebhookMessage };
export type FromSenderThread = { readonly number: number; readonly attempt: Attempt };

/** A thread that is still silent by then hangs: it limits every attempt itself. */
const SILENCE_TIMEOUT_MS = ATTEMPT_TIMEOUT_MS + 5_000;
const MAX_HEAP_MB = 128;

interface Thread {
  readonly worker: Worker;
  readonly inFlight: Map<number, (error: unknown, attempt?: Attempt) => void>;
}

/**
 * Sends from a thread of its own, so that no receiver can block the event loop that serves requests. The thread is started
 * by the first attempt. When it ends, its attempts have failed; when it hangs, it is replaced. It never keeps the process
 * alive.
 */
export function openSenderThread(workerData: SenderThreadData): WebhookSender {
  let thread: Thread | undefined;
  let numbers = 0;

  function start(): Thread {
    const started: Thread = {
      worker: new Worker(senderThread(), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      }),
      inFlight: new Map(),
    };
    const end = (error: unknown) => {
      retire(started);
      for (const settle of started.inFlight.values()) settle(error);
    };
    started.worker
      .on('message', ({ number, attempt }: FromSenderThread) =>
        started.inFlight.get(number)?.(undefined, attempt),
      )
      .on('error', end)
      .on('exit', () => end(new Error('the sending thread ended')))
      .unref();
    return started;
  }

  /** The next attempt starts another thread. This one ends with its last attempt. */
  function retire(retired: Thread): void {
    if (thread === retired) thread = undefined;
    if (retired.inFlight.size === 0) void retired.worker.terminate();
  }

  return {
    async send(message, signal) {
      thread ??= start();
      const { worker, inFlight } = thread;
      const own = thread;
      const number = ++numbers;
      const started = performance.now();
      const { promise, resolve } = Promise.withResolvers<Attempt>();
      const settle = (error: unknown, attempt?: Attempt) =>
        resolve(attempt ?? attemptOf(message, Math.round(performance.now() - started), failure(error)));
      const silence = setTimeout(() => {
        settle(new DOMException('', 'TimeoutError'));
        inFlight.delete(number);
        retire(own);
      }, SILENCE_TIMEOUT_MS).unref();
      const abort = () => settle(signal?.reason);
      signal?.addEventListener('abort', abort);
      inFlight.set(number, settle);
      worker.postMessage({ number, message } satisfies ToSenderThread);
      const attempt = await promise;
      clearTimeout(silence);
      signal?.removeEventListener('abort', abort);
      inFlight.delete(number);
      if (own !== thread) retire(own);
      return attempt;
    },

    close() {
      void thread?.worker.terminate();
    },
  };
}
