import type { Question } from '../question.ts';
import { changes } from './changes.ts';
import { events } from './events.ts';
import { failures } from './failures.ts';
import { lists } from './lists.ts';

/** All questions. The first one also shows whether the client starts at all. */
export const questions: readonly Question[] = [...lists, ...changes, ...failures, ...events];
