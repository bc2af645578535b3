import { Unavailable } from '../../database/engine.ts';

/** Those that may be on their way at a time, and how many of them of one tenant. */
const MOST = 16;
const MOST_OF_TENANT = 2;

/** Bodies of megabytes that are being read: however many are sent at once, they take bounded memory. */
export class LongBodies {
  readonly #under = new Map<bigint, number>();
  #all = 0;

  /** Gives back how to end it. */
  begin(tenantId: bigint): () => void {
    const own = this.#under.get(tenantId) ?? 0;
    if (this.#all >= MOST || own >= MOST_OF_TENANT)
      throw new Unavailable('too many long bodies are being read');
    this.#count(tenantId, 1);
    return () => this.#count(tenantId, -1);
  }

  #count(tenantId: bigint, more: number): void {
    this.#all += more;
    const own = (this.#under.get(tenantId) ?? 0) + more;
    if (own > 0) this.#under.set(tenantId, own);
    else this.#under.delete(tenantId);
  }
}
