import { LRUCache } from 'lru-cache';
import { callerOf } from '../guards/caller.ts';
import type { Request } from '../server/request.ts';
import { type Encoding, notModified } from './negotiation.ts';

/** A body as it is sent, of its store at this revision or a later one. */
export interface KeptAnswer {
  readonly revision: bigint;
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
}

export type KeptAnswers = LRUCache<string, KeptAnswer>;

/** What an answer takes beside its bytes: its name, and its place. */
const ENTRY_BYTES = 1_000;

export function openKeptAnswers(budget: number): KeptAnswers {
  const sizeCalculation = ({ bytes }: KeptAnswer) => bytes.length + ENTRY_BYTES;
  return new LRUCache({ maxSize: Math.max(1, Math.floor(budget)), sizeCalculation });
}

export function findKept(answers: KeptAnswers, name: string, revision: bigint): KeptAnswer | undefined {
  const kept = answers.get(name);
  return kept && kept.revision >= revision ? kept : undefined;
}

/** Node cuts small buffers out of larger ones, which would stay as long as the answer does. */
export function keptText(revision: bigint, text: string): KeptAnswer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { revision, bytes, encoding: 'identity' };
}

type Write = () => Promise<string>;

/** Answers with an order or a pet, which is read and written once for each revision of its store. */
export async function answerFromKept(request: Request, answers: KeptAnswers, what: string, write: Write) {
  const { storeId, revision } = callerOf(request);
  const name = `${what} ${storeId}`;
  let kept = findKept(answers, name, revision);
  if (!kept) {
    kept = keptText(revision, await write());
    answers.set(name, kept);
  }
  const headers = ['content-type', 'application/json'];
  return notModified(request) ?? { status: 200, headers, body: kept.bytes };
}
