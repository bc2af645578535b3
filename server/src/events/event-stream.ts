import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Caller } from '../http/server/caller.ts';
import type { EventHub } from './event-hub.ts';

/** A reader that has not taken this much yet gets nothing new before it has. */
const MOST_WAITING = 64 * 1024;
/** How often it is looked whether a slow reader has taken what waits. */
const SLOW_MS = 100;
/** A reader that takes nothing for so many heartbeats is given up. */
const MOST_SILENT_BEATS = 2;
/** When the service stops, a reader that does not take the end of its stream is left without it. */
const END_MS = 1_000;

export interface StreamOptions {
  readonly hub: EventHub;
  readonly socket: Socket;
  readonly caller: Caller;
  /** The revision after which to begin; undefined to begin with what happens from now on. */
  readonly after: bigint | undefined;
  /** Between two signs of life, in milliseconds. */
  readonly heartbeat: number;
  /** Who the caller is by now: nobody, if the key does not work any more. */
  readonly findAgain: () => Promise<Caller | undefined>;
}

/** The events of one store as server-sent events, read from the log only as fast as the reader takes them. */
export class EventStream extends Readable {
  readonly #options: StreamOptions;
  #storeId: bigint;
  #position: bigint;
  #unwatch: () => void;
  #isWanted = false;
  #isPumping = false;
  /** Whether there may be more than what is being read. */
  #isWoken = false;
  #slow: NodeJS.Timeout | undefined;
  readonly #beats: NodeJS.Timeout;
  #silentBeats = 0;
  #bytesTaken = 0;

  constructor(options: StreamOptions) {
    super({ highWaterMark: MOST_WAITING });
    const { caller, after, heartbeat } = options;
    this.#options = options;
    this.#storeId = caller.storeId;
    this.#position = after ?? caller.revision;
    this.#unwatch = this.#watch(caller);
    this.#beats = setInterval(() => void this.#beat(), heartbeat).unref();
    // An id without data is no event, but what a client that has seen none yet resumes after.
    this.push(after === undefined ? `: open\nid: ${caller.revision}\n\n` : ': open\n\n');
  }

  /** Ends the stream as a whole answer; the reader may go on elsewhere. */
  end(): void {
    if (this.readableEnded || this.destroyed) return;
    this.push(null);
    setTimeout(() => this.destroy(), END_MS).unref();
  }

  override _read(): void {
    this.#isWanted = true;
    void this.#pump();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#beats);
    clearTimeout(this.#slow);
    this.#unwatch();
    callback(error);
  }

  #watch({ storeId, revision }: Caller): () => void {
    return this.#options.hub.watch(storeId, revision, {
      onMore: () => void this.#pump(),
      onMoved: () => void this.#checkKey(),
    });
  }

  get #waiting(): number {
    return this.readableLength + this.#options.socket.writableLength;
  }

  async #pump(): Promise<void> {
    this.#isWoken = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#isWanted && !this.destroyed && !this.readableEnded) {
        if (this.#waiting > MOST_WAITING) {
          this.#slow = setTimeout(() => void this.#pump(), SLOW_MS).unref();
          break;
        }
        this.#isWoken = false;
        const { events, upTo } = await this.#options.hub.read(this.#storeId, this.#position);
        if (upTo > this.#position) this.#position = upTo;
        if (events.length > 0) this.#isWanted = this.push(events.map(({ text }) => text).join(''));
        else if (!this.#isWoken) break;
        // What was pushed reaches the connection first, and others have their turn.
        await new Promise(setImmediate);
      }
    } catch (error) {
      this.destroy(error as Error);
    } finally {
      this.#isPumping = false;
    }
  }

  /** Moves to another store if that is what the key opens now, and ends if it opens none. */
  async #checkKey(): Promise<void> {
    const caller = await this.#options.findAgain().catch(() => ({ storeId: this.#storeId, revision: 0n }));
    if (this.destroyed) return;
    if (!caller) return this.end();
    if (caller.storeId === this.#storeId) return;
    this.#unwatch();
    this.#storeId = caller.storeId;
    this.#unwatch = this.#watch(caller as Caller);
    void this.#pump();
  }

  async #beat(): Promise<void> {
    const { socket } = this.#options;
    const isSilent = this.#waiting > 0 && socket.bytesWritten === this.#bytesTaken;
    this.#bytesTaken = socket.bytesWritten;
    this.#silentBeats = isSilent ? this.#silentBeats + 1 : 0;
    if (this.#silentBeats >= MOST_SILENT_BEATS) return void this.destroy();
    if (this.#waiting === 0) this.push(':\n\n');
    await this.#checkKey();
  }
}
