import { randomFor } from '../random.ts';
import { type Draft, requestIdOf, validDraft, writeRequest } from './draft.ts';
import { twists } from './request-mutations.ts';
import type { Stage } from './stage.ts';

export interface GeneratedRequest extends Draft {
  readonly requestId: string;
  readonly bytes: Buffer;
  /** What was done to it, for whoever reads the report. */
  readonly twisted: readonly string[];
}

/** Number `number` of a run: valid, nearly valid with one twist, or hostile with several. */
export function createRequest(stage: Stage, seed: number, number: number): GeneratedRequest {
  const random = randomFor(seed, number);
  const requestId = requestIdOf(seed, number);
  const draft = validDraft(random, stage, number, requestId);
  const kind = random.next();
  const count = kind < 0.35 ? 0 : kind < 0.75 ? 1 : 2 + random.below(3);
  const twisted: string[] = [];
  const names = Object.keys(twists);
  for (let tries = 0; twisted.length < count && tries < 50; tries++) {
    const name = random.pick(names);
    const before = draft.expects;
    if (!twists[name]?.(random, draft, stage)) continue;
    twisted.push(name);
    // What one twist makes certain, the next may take back.
    if (twisted.length > 1 && before !== draft.expects) draft.expects = 'either';
  }
  if (twisted.length > 1) draft.expects = draft.mayEnter ? 'either' : 'refused';
  return { ...draft, requestId, bytes: writeRequest(draft), twisted };
}
