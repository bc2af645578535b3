import { randomFor } from '../random.ts';
import { type Draft, requestIdOf, serializeRequest, validDraft } from './draft.ts';
import { mutations } from './request-mutations.ts';
import type { Stage } from './stage.ts';

export interface GeneratedRequest extends Draft {
  readonly requestId: string;
  readonly bytes: Buffer;
  /** The mutations applied to it, for the report. */
  readonly mutated: readonly string[];
}

/** The request with this number in a run: valid, nearly valid with one mutation, or hostile with several. */
export function createRequest(stage: Stage, seed: number, number: number): GeneratedRequest {
  const random = randomFor(seed, number);
  const requestId = requestIdOf(seed, number);
  const draft = validDraft(random, stage, number, requestId);
  const kind = random.next();
  const count = kind < 0.35 ? 0 : kind < 0.75 ? 1 : 2 + random.below(3);
  const mutated: string[] = [];
  const names = Object.keys(mutations);
  for (let tries = 0; mutated.length < count && tries < 50; tries++) {
    const name = random.pick(names);
    if (mutations[name]?.(random, draft, stage)) mutated.push(name);
  }
  // A later mutation may undo what an earlier one did, but none restores the key.
  if (mutated.length > 1) draft.expects = draft.isAuthenticated ? 'either' : 'rejected';
  return { ...draft, requestId, bytes: serializeRequest(draft), mutated };
}
