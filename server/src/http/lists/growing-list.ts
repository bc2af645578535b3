import type { ListAtRevision } from './list-at-revision.ts';
import type { Segment } from './segment.ts';

/** A list that is still being read: whoever asks for it gets what is there, and the rest as it comes. */
export class GrowingList implements ListAtRevision {
  readonly revision: bigint;
  readonly length = undefined;
  readonly #segments: Segment[] = [];
  #state: 'growing' | 'complete' | { readonly failed: unknown } = 'growing';
  #grown = Promise.withResolvers<void>();

  constructor(revision: bigint) {
    this.revision = revision;
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#wake();
  }

  complete(): readonly Segment[] {
    this.#state = 'complete';
    this.#wake();
    return this.#segments;
  }

  fail(error: unknown): void {
    this.#state = { failed: error };
    this.#wake();
  }

  async *segments(): AsyncGenerator<Segment> {
    for (let next = 0; ; next++) {
      while (next === this.#segments.length) {
        if (this.#state === 'complete') return;
        if (this.#state !== 'growing') throw this.#state.failed;
        await this.#grown.promise;
      }
      yield this.#segments[next] as Segment;
    }
  }

  #wake(): void {
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }
}
