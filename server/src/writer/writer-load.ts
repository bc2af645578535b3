import type { Pool } from '../database/engine.ts';

export interface WriterLoad {
  /** Changes that wait for their turn or are being made. */
  waiting: number;
  /** Told of changes that were made together, and how long that took. */
  onGroup: (changes: number, ms: number) => void;
  readonly pool?: Pool;
}

export function idleLoad(pool?: Pool): WriterLoad {
  return { waiting: 0, onGroup: () => {}, ...(pool && { pool }) };
}
